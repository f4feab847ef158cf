"""The practical mixture learner: no user knowledge but k, n and a generous bound."""
