"""The main screen, an action group a file."""
