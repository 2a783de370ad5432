"""Colours of all pictures: told apart by colour-blind people and in grey, seen on white and on black."""

FIRST, SECOND, BOTH = "#1f6fb4", "#d1483a", "#7a3fa0"  # blue, red, violet
GREY = "#7f858c"
