"""Triton kernels to try the profiler on. `./dev demo` runs them all."""
