"""Families of distributions with log-density, sampler and learner; mixtures of any of them by list decoding."""
