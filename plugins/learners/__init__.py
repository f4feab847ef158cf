"""Non-private learners of mixtures, for blocks: rows and a generator in, weights, means and covariances out."""
