"""Takes the place of `triton._C.libproton` while `proton_xpu.install()` is in force."""
