"""Golden questions written by a language model, and nothing taken from it unchecked."""
