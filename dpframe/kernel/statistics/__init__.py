"""Rows to one exact value: folds with an enforced per-row bound. One statistic to a file."""
