"""Ways to show a `Comparison`; each takes the one model and nothing else."""
