"""Rows to rows: clips, row maps, partitions, pairs. One operation to a file."""
