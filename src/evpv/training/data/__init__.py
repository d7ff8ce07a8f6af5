"""What the trainers learn from: step-labelled trajectories, constraints, preference pairs, and what must not be in them."""
