"""Exact arithmetic on rows: maps that treat a row alike wherever it stands, and sums in whole numbers."""
