"""What is asked and what is proven. Nothing here knows an algorithm."""
