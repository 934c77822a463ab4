"""Keeps numpy's linear algebra to one thread; imported before numpy is.

Work is shared out to processes. A second pool of threads in each of them, which spins while it
waits, takes more than it gives; a value that is set already is left alone.
"""

import os

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")
