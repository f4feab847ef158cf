"""The published algorithms: one package a source paper, plus ``classic`` and ``practical``."""
