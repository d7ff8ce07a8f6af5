"""Learning the two parts of the paper: the constraint extractor E_φ and the step verifier V_θ."""
