"""The loss algebra: what mechanisms cost, how costs compose, and what they amount to.

An :class:`Event` is one mechanism's loss in several views; a :class:`Loss` is a multiset of events and a
delta.
:func:`compose`, :func:`worst` and :func:`amplify` build losses; :func:`epsilon`,
:func:`delta` and :func:`tightest_epsilon` convert them by one of :data:`ACCOUNTANTS`; a
:class:`Budget` gives a :class:`Verdict`. Proofs: ``docs/theory/losses.md``.
"""

from dpframe.proof.losses._numeric import LossError as LossError
from dpframe.proof.losses.accountants import ACCOUNTANTS as ACCOUNTANTS
from dpframe.proof.losses.accountants import applicable as applicable
from dpframe.proof.losses.accountants import epsilon as epsilon
from dpframe.proof.losses.algebra import ZERO as ZERO
from dpframe.proof.losses.algebra import Loss as Loss
from dpframe.proof.losses.algebra import amplify as amplify
from dpframe.proof.losses.algebra import compose as compose
from dpframe.proof.losses.algebra import worst as worst
from dpframe.proof.losses.budgets import GDP as GDP
from dpframe.proof.losses.budgets import ZCDP as ZCDP
from dpframe.proof.losses.budgets import ApproxDP as ApproxDP
from dpframe.proof.losses.budgets import Budget as Budget
from dpframe.proof.losses.budgets import PureDP as PureDP
from dpframe.proof.losses.budgets import budget_from_json as budget_from_json
from dpframe.proof.losses.codec import EVENTS as EVENTS
from dpframe.proof.losses.codec import loss_from_json as loss_from_json
from dpframe.proof.losses.event import Event as Event
from dpframe.proof.losses.laplace import Laplace as Laplace
from dpframe.proof.losses.lattice_gaussian import LatticeGaussian as LatticeGaussian
from dpframe.proof.losses.pure import BoundedRange as BoundedRange
from dpframe.proof.losses.pure import Pure as Pure
from dpframe.proof.losses.smooth import Concentrated as Concentrated
from dpframe.proof.losses.smooth import Gaussian as Gaussian
from dpframe.proof.losses.smooth import Renyi as Renyi
from dpframe.proof.losses.tightest import tightest_epsilon as tightest_epsilon
from dpframe.proof.losses.worst import Worst as Worst
