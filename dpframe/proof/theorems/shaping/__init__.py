"""Domains that operations on private values make, for the table in :mod:`dpframe.proof.theorems.signatures`."""
