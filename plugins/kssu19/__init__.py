"""KSSU19: separated Gaussian mixtures by private PCA, small balls, recursive parts, and sample and aggregate."""
