"""Published faults of released versions: what ``dpframe verify`` says of a certificate that one of them wrote.

The list is the same as in ``SECURITY.md``. A version without an entry has no *known* fault.

Examples
--------
>>> [advisory.id for advisory in advisories("0.1.0")][:2]
['DPF-1', 'DPF-2']
>>> advisories("0.0.0")
()
"""

from __future__ import annotations

import attrs


@attrs.frozen
class Advisory:
    """One published fault.

    Attributes
    ----------
    id : str
    versions : tuple of str
        The released versions that have it.
    touches : {"release", "verify"}
        Whether what such a version released may say more than it promised, or what it verified may be wrong.
    text : str
        What goes wrong, and where.
    """

    id: str
    versions: tuple[str, ...]
    touches: str
    text: str

    def words(self) -> str:
        """The advisory in one line, for a certificate of a version that has the fault."""
        return f"dpframe {', '.join(self.versions)} has the published fault {self.id}: {self.text}"

    def to_json(self) -> dict[str, object]:
        """The advisory as ``dpframe verify --json`` prints it."""
        return {"id": self.id, "versions": list(self.versions), "touches": self.touches, "text": self.text}


PUBLISHED = (
    Advisory(
        "DPF-1",
        ("0.1.0",),
        "release",
        "noise plus a total beyond 2^63 lattice steps wrapped around (gram, sum and others with many bits and rows), "
        "so that neighbours could be told apart",
    ),
    Advisory(
        "DPF-2",
        ("0.1.0",),
        "release",
        "cap with a large t, and code of plugins, could raise an error that depended on a private value and end a run "
        "with another exit code or message",
    ),
    Advisory(
        "DPF-3",
        ("0.1.0",),
        "release",
        "a source that gave other rows when it was read again, or an array written to during a run, could put one row "
        "into two parts",
    ),
    Advisory(
        "DPF-4",
        ("0.1.0",),
        "release",
        "epsilon could be stated too small by numerical composition at delta <= 1e-250 and epsilon >= 250, and by the "
        "exponential mechanism's Renyi curve for tiny epsilon",
    ),
    Advisory(
        "DPF-5",
        ("0.1.0",),
        "verify",
        "verify accepted any finite total where the true one is infinite, for example pure DP of Gaussian noise",
    ),
    Advisory(
        "DPF-6",
        ("0.1.0",),
        "release",
        "a run executed the plan that it was handed without checking its certificate first; a plan changed after "
        "planning ran with noise that nothing had proved",
    ),
    Advisory(
        "DPF-7",
        ("0.1.0",),
        "release",
        "arbas23: at small radii, rounding could decide which components of two blocks were matched",
    ),
    Advisory(
        "DPF-8",
        ("0.1.0",),
        "release",
        "a plugin's post that wrote into a released value could change the rule of a partition between two passes, so "
        "that one row counted in two parts",
    ),
    Advisory(
        "DPF-9",
        ("0.1.0",),
        "verify",
        "verify did not read keys beside removed and added in an adjacency of explicit edits: one that said there that "
        "neighbours share no index was accepted with a graph that cuts by the index",
    ),
    Advisory(
        "DPF-10",
        ("0.1.0",),
        "release",
        "arbas23 with epsilon above 150, a delta above 1/2 or masks of more than 2^20 numbers stated a total that the "
        "rounding of its masks is not proved for; and a "
        "truncated Laplace test of a value on a lattice of steps below 2^-45 (square_sum with many bits) could fail "
        "with more than its delta, by four parts in 1e15",
    ),
    Advisory(
        "DPF-11",
        ("0.1.0",),
        "release",
        "several stable histograms with Laplace noise, quantiles with a denominator above 2^53 and adjacencies of more "
        "than 2^53 rows stated an epsilon that was too small, by one part in 1e16",
    ),
    Advisory(
        "DPF-12",
        ("0.1.0",),
        "release",
        "a stable histogram with a delta below 1e-290 a bin could publish a bin that one row alone fills with more "
        "than its delta: the threshold was looked for among probabilities that float64 holds no digits of",
    ),
    Advisory(
        "DPF-13",
        ("0.1.0",),
        "release",
        "what NumPy warns of while a Dask array is computed reached stderr from Python, so that a private value "
        "decided whether a warning was printed",
    ),
    Advisory(
        "DPF-14",
        ("0.1.0",),
        "release",
        "of two processes with one number (two containers) that began a run in one shared folder at once, the one that "
        "was refused could write its loss into the attempt.json of the other, which says too little if that is killed",
    ),
    Advisory(
        "DPF-15",
        ("0.1.0",),
        "verify",
        "verify printed signs that a terminal obeys as a certificate holds them, which could hide that it is not "
        "verified; the exit code was right",
    ),
    Advisory(
        "DPF-16",
        ("0.1.0",),
        "verify",
        "verify --replan and report read files again beside checking them: whoever could write to the folder meanwhile "
        "could have other bytes compared or shown than were verified",
    ),
    Advisory(
        "DPF-17",
        ("0.1.0",),
        "release",
        "from Python, the refusal of a column that holds no numbers named its type with what that holds: the "
        "categories of an Enum of Polars, the fill value of a sparse column of pandas",
    ),
    Advisory(
        "DPF-18",
        ("0.1.0",),
        "release",
        "a CSV file without a header whose first row holds a text beside numbers was read with that row as the names "
        "of columns, which errors quote and results show",
    ),
    Advisory(
        "DPF-19",
        ("0.1.0",),
        "release",
        "from Python, a list of rows was refused where a cell was None, a text or a whole number beyond all floats, so "
        "that a private value decided whether there was a run",
    ),
    Advisory(
        "DPF-20",
        ("0.1.0",),
        "release",
        "a loop with view='pure' whose items draw a secret sample each stated the δ of one sample, which is too little "
        "where two mechanisms or more on the sample have a δ: by half of the sum of their δ's, relatively",
    ),
    Advisory(
        "DPF-21",
        ("0.1.0",),
        "release",
        "where core files are allowed, a block learner that crashed, or reached its limit of processor time, left one "
        "in the working directory that holds the rows of its block",
    ),
    Advisory(
        "DPF-22",
        ("0.1.0",),
        "release",
        "where a plugin's function of rows, of densities or of distances failed at one row or block, or one row more "
        "stood beside the others, those were asked about in another number, by which the last digits of products of "
        "matrices differ: one row could move others over an edge",
    ),
    Advisory(
        "DPF-23",
        ("0.1.0",),
        "release",
        "a plugin's function of rows was asked with one thread of linear algebra in one reading of a table and with "
        "several in another, where it loaded the library itself or two runs overlapped in one process: by other last "
        "digits of a product a row at the very edge of a rule could count in two parts",
    ),
)


def advisories(version: str) -> tuple[Advisory, ...]:
    """Everything published about one version.

    Parameters
    ----------
    version : str
        As a certificate gives it under ``dpframe_version``.
    """
    return tuple(advisory for advisory in PUBLISHED if version in advisory.versions)
