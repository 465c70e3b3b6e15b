"""Triton kernels, each compared with numpy; one module for each family."""
