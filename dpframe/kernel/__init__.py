"""What may touch private rows."""
