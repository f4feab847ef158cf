"""BKS22: private estimation with a little public data. Privacy holds for every public table."""
