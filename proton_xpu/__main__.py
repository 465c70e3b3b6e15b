"""`python -m proton_xpu` is the command `proton-xpu`."""

import sys

from proton_xpu.proton import main

sys.exit(main())
