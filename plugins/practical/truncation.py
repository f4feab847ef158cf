"""What clipping to a ball does to a Gaussian's moments: see `dpframe_plugins.shared.truncation`."""

from dpframe_plugins.shared.truncation import Response, chi_quantile, response, undo_scale

__all__ = ["Response", "chi_quantile", "response", "undo_scale"]
