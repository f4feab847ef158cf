"""What several plugins use: pure functions of released and public numbers."""
