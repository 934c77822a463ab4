"""A client for OpenAI-compatible HTTP endpoints: chat and embeddings, nothing but what is asked."""
