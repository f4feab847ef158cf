"""Classic private estimators: means, covariances, Gaussians, ranges and scales, histograms, quantiles."""
