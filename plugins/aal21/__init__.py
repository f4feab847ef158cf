"""AAL21: mixtures of axis-aligned Gaussians by private list decoding and hypothesis selection."""
