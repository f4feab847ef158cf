"""From a certificate to a verdict: :mod:`dpframe.proof.checker` under the name that others import."""

from dpframe.proof.checker import Checked as Checked
from dpframe.proof.checker import Listed as Listed
from dpframe.proof.checker import Noise as Noise
from dpframe.proof.checker import Verdict as Verdict
from dpframe.proof.checker import check as check
from dpframe.proof.checker import verify as verify
