"""Theorems and declarations that one paper or one learner alone needs."""

from dpframe.proof.families import averaging as averaging
from dpframe.proof.families import balls as balls
from dpframe.proof.families import bins as bins
from dpframe.proof.families import block_candidates as block_candidates
from dpframe.proof.families import masks as masks
from dpframe.proof.families import populous as populous
from dpframe.proof.families import registered as registered
from dpframe.proof.families import scores as scores
from dpframe.proof.families import selection as selection
from dpframe.proof.families import weighted as weighted
