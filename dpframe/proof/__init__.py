"""Numbers only: what may be believed about a plan, and the checker that decides it."""
