"""Arbas23: any non-private learner of mixtures made private, with no bound on the parameters."""
