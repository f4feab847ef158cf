"""Operations of plugins' own, run by the kernel: contributions, rules of rows, statistics, queries, mechanisms."""
