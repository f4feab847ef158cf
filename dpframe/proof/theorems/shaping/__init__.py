"""Domains that operations on private values make, for the table of declarations."""
