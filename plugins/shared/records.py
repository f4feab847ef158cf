"""Records, the released values of plugins, are told apart by their names when a graph is made."""

from __future__ import annotations

from dpframe.plugin import Domain, PlanError, Record, wants


def wants_record(domain: Domain, name: str, what: str) -> None:
    """Raise where a domain is no record of this name.

    Parameters
    ----------
    domain : Domain
        Of an input.
    name : str
        Of the record that is meant.
    what : str
        Who wants it.

    Raises
    ------
    PlanError

    Examples
    --------
    >>> wants_record(Record("practical.starts"), "practical.starts", "mine.post")
    """
    if wants(domain, Record, what).name != name:
        raise PlanError(f"{what} takes the record {name!r}, not {domain}", fix=f"give it {name}")
