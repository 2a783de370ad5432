"""Hostile random problems for every public function, and a referee in exact arithmetic: `python -m fuzz N SEED`."""
