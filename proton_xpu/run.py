"""`python -m proton_xpu.run`: run a program with `triton.profiler` redirected to this package.

Unlike `proton-xpu` it starts no session: the program's own calls of the profiler count.

    python -m proton_xpu.run script.py [arguments]
    python -m proton_xpu.run -m module [arguments]
    python -m proton_xpu.run pytest [arguments]
"""

import sys
from collections.abc import Sequence

from proton_xpu.install import install

_USAGE = "usage: python -m proton_xpu.run {script.py | -m MODULE | pytest} [arguments]"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program named by `arguments`. Returns its exit code, 2 if none is named."""
    from proton_xpu.target import Target, run

    given = list(sys.argv[1:] if arguments is None else arguments)
    if given[:1] in (["-h"], ["--help"]):
        print(_USAGE)
        return 0
    is_module = given[:1] == ["-m"]
    if is_module:
        del given[0]
    if not given:
        print(_USAGE, file=sys.stderr)
        return 2
    install()
    return run(Target(given[0], given[1:], is_module))


if __name__ == "__main__":
    sys.exit(main())
