"""Lower bounds on losses: audits of mechanisms, plans, reductions; canaries; replays."""
