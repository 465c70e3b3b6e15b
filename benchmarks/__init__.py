"""Measurements of what the profiler costs. `./dev bench` runs them all."""
