"""What a person asks of tables."""
