"""Released to released, free: what every plugin needs."""
