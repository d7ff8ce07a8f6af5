"""What runs are worth: metrics over stored traces. Nothing here asks a model."""
