"""Attacks on everything registered: declared sensitivities, metrics and purity against neighbours."""
