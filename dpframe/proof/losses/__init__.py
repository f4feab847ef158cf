"""The loss algebra: what mechanisms cost, how costs compose, and what they amount to.

An :class:`Event` is one mechanism's loss in several views; a :class:`Loss` is a multiset of events and a
delta.
:func:`compose`, :func:`worst`, :func:`repeat` and :func:`amplify` build losses; :func:`epsilon`,
:func:`delta` and :func:`tightest_epsilon` convert them by one of :data:`ACCOUNTANTS`; a
:class:`Budget` gives a :class:`Verdict`. Proofs: ``docs/theory/losses.md``.
"""

from dpframe.proof.losses._numeric import LossError
from dpframe.proof.losses.accountants import ACCOUNTANTS, applicable, delta, epsilon, tightest_epsilon
from dpframe.proof.losses.algebra import INFINITE, ZERO, Loss, amplify, compose, repeat, worst
from dpframe.proof.losses.budgets import GDP, ZCDP, ApproxDP, Budget, PureDP, Verdict, budget_from_json
from dpframe.proof.losses.codec import event_from_json, loss_from_json
from dpframe.proof.losses.event import Event
from dpframe.proof.losses.lattice_gaussian import DiscreteGaussian, LatticeGaussian
from dpframe.proof.losses.pure import BoundedRange, DiscreteLaplace, Laplace, Pure
from dpframe.proof.losses.sampled import SampledGaussian, SampledLaplace
from dpframe.proof.losses.smooth import Concentrated, Gaussian, Renyi
from dpframe.proof.losses.worst import Worst

__all__ = [
    "ACCOUNTANTS",
    "GDP",
    "INFINITE",
    "ZCDP",
    "ZERO",
    "ApproxDP",
    "BoundedRange",
    "Budget",
    "Concentrated",
    "DiscreteGaussian",
    "DiscreteLaplace",
    "Event",
    "Gaussian",
    "Laplace",
    "LatticeGaussian",
    "Loss",
    "LossError",
    "Pure",
    "PureDP",
    "Renyi",
    "SampledGaussian",
    "SampledLaplace",
    "Verdict",
    "Worst",
    "amplify",
    "applicable",
    "budget_from_json",
    "compose",
    "delta",
    "epsilon",
    "event_from_json",
    "loss_from_json",
    "repeat",
    "tightest_epsilon",
    "worst",
]
