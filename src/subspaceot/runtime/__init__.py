"""What every file may use: array types, compiled loops, isolation from the caller, files, printed numbers."""
