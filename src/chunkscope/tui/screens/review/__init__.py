"""The review of generated golden questions."""
