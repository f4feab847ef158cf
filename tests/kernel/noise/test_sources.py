"""Sources: two types, reproducible or not, and no state to replay."""

from __future__ import annotations

import copy
import os
import pickle

import numpy as np
import pytest

from dpframe.errors import SpecError
from dpframe.kernel.noise import SecureSource, SeededSource, Source, rounded_gaussian
from tests.kernel.noise.goodness import ALARM, fit

GOLDEN = [16433562501756026762, 14741017959994648141]
GOLDEN_CHILD = [2312416035404114039]
BOTH = [SecureSource, lambda: SeededSource(3)]


@pytest.mark.parametrize("make", BOTH)
@pytest.mark.parametrize("count", [0, 1, 1000])
def test_words_are_uint64(make, count):
    words = make().words(count)
    assert words.shape == (count,)
    assert words.dtype == np.uint64


@pytest.mark.parametrize("make", BOTH)
def test_bytes_are_uniform(make):
    counts = np.bincount(make().words(1 << 17).view(np.uint8), minlength=256)
    assert fit(counts, np.full(256, 1 / 256)) > ALARM
    assert fit(np.bincount(make().words(1 << 17).view(np.uint8) | 1, minlength=256), np.full(256, 1 / 256)) < ALARM


@pytest.mark.parametrize("make", BOTH)
def test_a_negative_count_is_refused(make):
    with pytest.raises(SpecError, match="-1 words"):
        make().words(-1)


def test_the_two_types_say_what_they_are():
    secure, seeded = SecureSource(), SeededSource(3)
    assert secure.simulated is False
    assert seeded.simulated is True
    assert not isinstance(secure, SeededSource)
    assert not isinstance(seeded, SecureSource)
    assert repr(secure) == "SecureSource()"
    assert repr(seeded.child("a").child("b")) == "SeededSource(3, child='a', child='b', simulated)"


def test_abstract_source_cannot_be_made():
    with pytest.raises(TypeError):
        Source()  # type: ignore[abstract]


def test_secure_source_takes_no_seed_and_keeps_no_state():
    with pytest.raises(TypeError):
        SecureSource(1)  # type: ignore[call-arg]
    source = SecureSource()
    assert not hasattr(source, "__dict__")
    assert source.child("x") is source
    assert (source.words(8) != SecureSource().words(8)).any()


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda s: pickle.loads(pickle.dumps(s))])
def test_a_copied_secure_source_does_not_replay(duplicate):
    source = SecureSource()
    source.words(3)
    other = duplicate(source)
    assert (source.words(8) != other.words(8)).any()


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_secure_source_does_not_replay():
    source = SecureSource()
    rounded_gaussian(source, 2.0**20, 5)
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(write, rounded_gaussian(source, 2.0**40, 8).tobytes())
        os._exit(0)
    os.waitpid(child, 0)
    theirs = np.frombuffer(os.read(read, 64), dtype=np.int64)
    os.close(read)
    os.close(write)
    assert len(theirs) == 8
    assert (theirs != rounded_gaussian(source, 2.0**40, 8)).all()


def test_numpy_seed_does_not_reach_the_sources():
    state = np.random.get_state()  # noqa: NPY002
    try:
        np.random.seed(0)  # noqa: NPY002
        first = SecureSource().words(8)
        np.random.seed(0)  # noqa: NPY002
        assert (SecureSource().words(8) != first).any()
    finally:
        np.random.set_state(state)  # noqa: NPY002


def test_a_seed_fixes_the_stream_on_every_machine():
    assert SeededSource(0).words(2).tolist() == GOLDEN
    assert SeededSource(0).child("mean").words(1).tolist() == GOLDEN_CHILD


def test_splitting_a_request_changes_nothing_about_words():
    whole, split = SeededSource(5), SeededSource(5)
    assert whole.words(10).tolist() == split.words(3).tolist() + split.words(7).tolist()


def test_children_depend_on_seed_and_label_only():
    a, b = SeededSource(9), SeededSource(9)
    a.words(1000)
    a.child("other").words(10)
    assert (a.child("mean").words(50) == b.child("mean").words(50)).all()


def test_children_differ():
    root = SeededSource(9)
    streams = [
        root,
        root.child("a"),
        root.child("b"),
        root.child("ab"),
        root.child("a").child("b"),
        root.child(""),
        SeededSource(10),
        SeededSource(10).child("a"),
    ]
    words = np.array([stream.words(500) for stream in streams])
    assert len(np.unique(words)) == words.size


def test_children_are_uncorrelated():
    # bits of two children agree half of the time: 1e6 pairs, z beyond 5 has probability 6e-7
    root, pairs = SeededSource(11), 64 * 16384
    same = root.child("a").words(16384) ^ root.child("b").words(16384)
    ones = int(np.bitwise_count(same).sum())
    assert abs(ones - pairs / 2) < 5 * (pairs / 4) ** 0.5
    twin = root.child("a").words(16384) ^ root.child("a").words(16384)
    assert abs(int(np.bitwise_count(twin).sum()) - pairs / 2) > 5 * (pairs / 4) ** 0.5


def test_a_seeded_source_survives_pickling_where_it_stands():
    source = SeededSource(2).child("x")
    source.words(5)
    other = pickle.loads(pickle.dumps(source))
    assert (source.words(9) == other.words(9)).all()
    assert repr(source) == repr(other)
    assert (source.child("y").words(9) == other.child("y").words(9)).all()


@pytest.mark.parametrize("seed", [-1, 1.0, "1", None, True])
def test_a_bad_seed_is_refused(seed):
    with pytest.raises(SpecError, match="seed"):
        SeededSource(seed)


def test_seeds_may_be_large():
    assert (SeededSource(2**200).words(4) != SeededSource(2**200 + 1).words(4)).any()
    assert (SeededSource(np.int64(4)).words(4) == SeededSource(4).words(4)).all()
