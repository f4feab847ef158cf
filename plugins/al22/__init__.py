"""AL22: one Gaussian, mean and full covariance, of any learner's blocks, with no bound on its parameters."""
