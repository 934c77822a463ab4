"""Golden questions from the files of other tools, one file a format."""
