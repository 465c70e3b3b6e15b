"""The command `proton-xpu`: profile a script, a module or pytest without changing it.

Its other commands stand in `proton_xpu.cli`.
"""

import argparse
import importlib
import sys
from collections.abc import Sequence
from typing import NamedTuple

from proton_xpu.cli import COMMANDS

_MODES = ("", "memory_ops", "pcsampling", "periodic_flushing")

_USAGE = """\
proton-xpu [run] [options] {script.py | -m MODULE | pytest} [arguments]
       proton-xpu COMMAND ..."""

_EPILOG = """\
The first argument that is no option is the script, or the word pytest; all that follows is passed
on to it. -m takes a mode, or else the name of a module to run as `python -m` does. start() and
finalize() inside the program do nothing; the profile is written however the program ends, and the
exit code is the program's.

commands (proton-xpu COMMAND --help):
%s

example:
  proton-xpu -n profile -k triton train.py --steps 10
  proton-xpu-viewer -m time/ms,count,time/%% profile.hatchet
"""


class Request(NamedTuple):
    """A parsed command line."""

    name: str | None
    backend: str | None
    context: str
    data: str
    mode: str | None
    hook: str | None
    target: str
    target_arguments: Sequence[str]
    is_module: bool


def main(arguments: Sequence[str] | None = None) -> int:
    """Entry point of `proton-xpu`. Returns the exit code of what was run."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given and given[0] in COMMANDS:
        module, _, function = COMMANDS[given[0]].target.partition(":")
        code: int = getattr(importlib.import_module(module), function)(given[1:])
        return code
    return run_profiling(parse_arguments(given))


def parse_arguments(arguments: Sequence[str]) -> Request:
    """Parse a command line. `SystemExit` 2 with a usage line on stderr if it is malformed."""
    options, target = _split(arguments)
    parser = _parser()
    parsed = parser.parse_args(options)
    module: str | None = parsed.module
    mode: str | None = parsed.mode
    if mode is not None and not _is_mode(mode):
        mode, module = None, mode
    if module is not None:
        target = [module, *target]
    if not target:
        parser.error("name a script, -m MODULE or pytest to run")
    return Request(
        name=parsed.name,
        backend=parsed.backend,
        context=parsed.context,
        data=parsed.data,
        mode=mode,
        hook=parsed.hook,
        target=target[0],
        target_arguments=target[1:],
        is_module=module is not None,
    )


def run_profiling(request: Request) -> int:
    """Run the requested program in a session of its own. Returns the program's exit code.

    1 if the session cannot be started or its file cannot be written, with the reason on stderr.
    """
    from proton_xpu.flags import flags
    from proton_xpu.profile import finalize_session, is_disabled, start_session
    from proton_xpu.target import Target, run

    is_profiled = not is_disabled()
    try:
        if is_profiled:
            start_session(
                request.name,
                context=request.context,
                data=request.data,
                backend=request.backend,
                mode=request.mode,
                hook=request.hook,
            )
        flags.command_line = True
        try:
            code = run(Target(request.target, request.target_arguments, request.is_module))
        finally:
            flags.command_line = False
            if is_profiled:
                finalize_session(None)
    except (ValueError, RuntimeError) as error:
        print(f"proton-xpu: {error}", file=sys.stderr)
        return 1
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="proton-xpu",
        usage=_USAGE,
        description="Profile the GPU work of a Python program on Intel GPUs.",
        epilog=_epilog(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("-n", "--name", help="path of the profile without suffix (proton)")
    parser.add_argument("-b", "--backend", help="profiler backend: auto, xpupti (auto)")
    parser.add_argument(
        "-c",
        "--context",
        choices=["shadow", "python"],
        default="shadow",
        help="what a launch appears under: open scopes or Python frames (shadow)",
    )
    parser.add_argument(
        "-m",
        "--mode",
        help="memory_ops, periodic_flushing[:format=FORMAT], or a module to run",
    )
    parser.add_argument(
        "-d",
        "--data",
        choices=["tree", "trace"],
        default="tree",
        help="aggregated tree or every launch on a time line (tree)",
    )
    parser.add_argument(
        "-k", "--hook", choices=["triton"], help="triton: names and metrics of launch metadata"
    )
    parser.add_argument("--module", help="a module to run as `python -m` does")
    return parser


def _epilog() -> str:
    commands = (f"  {name:<9} {command.help}" for name, command in COMMANDS.items())
    return _EPILOG % "\n".join(commands)


def _split(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Options of ours, and what follows them: the target, or the arguments of a module."""
    arguments = list(arguments)
    if arguments[:1] == ["run"]:
        del arguments[0]
    position = 0
    while position < len(arguments):
        argument = arguments[position]
        if argument == "--":
            return arguments[:position], arguments[position + 1 :]
        if not argument.startswith("-"):
            break
        option, attached, value = _option(argument)
        position += 1
        if option in ("-h", "--help"):
            continue
        if not attached and position < len(arguments):
            value = arguments[position]
            position += 1
        if option == "--module" or (option in ("-m", "--mode") and not _is_mode(value)):
            break
    return arguments[:position], arguments[position:]


def _option(argument: str) -> tuple[str, bool, str]:
    """Name of an option, whether its value is attached to it, and that value."""
    if argument.startswith("--"):
        name, separator, value = argument.partition("=")
        return name, bool(separator), value
    return argument[:2], len(argument) > 2, argument[2:]


def _is_mode(value: str) -> bool:
    return value.partition(":")[0].lower() in _MODES


if __name__ == "__main__":
    sys.exit(main())
