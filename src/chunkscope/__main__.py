"""`python -m chunkscope`: the same as the `chunkscope` command."""

import sys

from chunkscope.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
