"""Settings shared by all tests."""

import hypothesis

# The same examples on every run and machine; how long one takes is no failure.
hypothesis.settings.register_profile("deterministic", derandomize=True, deadline=None, max_examples=40)
hypothesis.settings.load_profile("deterministic")
