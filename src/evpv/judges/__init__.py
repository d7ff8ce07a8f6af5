"""Step judges: what gives every step of a candidate its base reward (J in the paper, Eq. 6)."""
