"""Settings shared by all tests."""

import os
import signal

# Before NumPy is loaded: parallel tests whose linear algebra is parallel too mostly wait for each other.
for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import hypothesis  # noqa: E402

# Whoever starts the tests in the background lets them ignore Ctrl-C, and with them the processes that they interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples on every run and machine; how long one takes is no failure.
hypothesis.settings.register_profile("deterministic", derandomize=True, deadline=None, max_examples=40)
hypothesis.settings.load_profile("deterministic")
