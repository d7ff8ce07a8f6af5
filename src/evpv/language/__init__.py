"""What sentences, numbers and formulas mean: read once, into values. Pure."""
