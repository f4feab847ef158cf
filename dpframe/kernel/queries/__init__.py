"""Private values to a private value, with a proved sensitivity."""
