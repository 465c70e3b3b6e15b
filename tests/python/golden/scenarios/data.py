"""Output formats, data while the program runs, and phases."""

from typing import Any

from golden.scenarios.registry import Kernels, scenario


@scenario
def msgpack_file(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output)
    with proton.scope("x", {"i": 1, "v": [1.5]}):
        kernels.add()
    proton.finalize(session, "hatchet_msgpack")


@scenario
def format_of_other_data(proton: Any, kernels: Kernels, output: str) -> str:
    session = proton.start(output)
    kernels.add()
    try:
        proton.finalize(session, "chrome_trace")
    except ValueError as error:
        message = str(error)
    proton.finalize(session, "HATCHET")
    return message


@scenario
def data_get(proton: Any, kernels: Kernels, output: str) -> list[Any]:
    session = proton.start(output)
    with proton.scope("x"):
        kernels.add()
    proton.deactivate(session)
    tree = proton.data.get(session)
    proton.finalize(session)
    return [type(tree).__name__, sorted(tree[0]), [child_name(tree, 0)]]


@scenario
def data_get_active(proton: Any, kernels: Kernels, output: str) -> str:
    session = proton.start(output)
    kernels.add()
    return type(proton.data.get(session)).__name__


@scenario
def data_get_missing_phase(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output)
    proton.data.get(session, 3)


@scenario
def data_get_unknown_session(proton: Any, kernels: Kernels, output: str) -> None:
    proton.start(output)
    proton.data.get(4711)


@scenario
def data_of_no_session(proton: Any, kernels: Kernels, output: str) -> list[Any]:
    return [
        proton.data.get(None),
        proton.data.get_msgpack(None),
        proton.data.advance_phase(None),
        proton.data.is_phase_complete(None),
        proton.data.clear(None),
    ]


@scenario
def data_get_msgpack(proton: Any, kernels: Kernels, output: str) -> list[Any]:
    session = proton.start(output)
    with proton.scope("x", {"v": [1, 2]}):
        kernels.add()
    proton.deactivate(session, flushing=True)
    packed = proton.data.get_msgpack(session)
    proton.finalize(session)
    return [type(packed).__name__, len(packed) > 20]


@scenario
def deactivate_flushing(proton: Any, kernels: Kernels, output: str) -> list[str]:
    session = proton.start(output)
    with proton.scope("x"):
        kernels.add()
    proton.deactivate(session, flushing=True)
    tree = proton.data.get(session)
    proton.activate(session)
    with proton.scope("y"):
        kernels.mul()
    proton.finalize(session)
    return child_names(tree)


@scenario
def data_clear(proton: Any, kernels: Kernels, output: str) -> list[str]:
    session = proton.start(output)
    with proton.scope("gone"):
        kernels.add()
    proton.deactivate(session, flushing=True)
    proton.data.clear(session)
    tree = proton.data.get(session)
    proton.activate(session)
    with proton.scope("kept"):
        kernels.mul()
    proton.finalize(session)
    return child_names(tree)


@scenario
def phases_manual(proton: Any, kernels: Kernels, output: str) -> list[Any]:
    session = proton.start(output)
    with proton.scope("p0"):
        kernels.add()
    phase = proton.data.advance_phase(session)
    with proton.scope("p1"):
        kernels.mul()
    proton.deactivate(session, flushing=True)
    completed = [proton.data.is_phase_complete(session, number) for number in (0, 1)]
    names = [child_names(proton.data.get(session, number)) for number in (0, 1)]
    proton.finalize(session)
    return [phase, completed, names]


@scenario
def phases_cleared(proton: Any, kernels: Kernels, output: str) -> str:
    session = proton.start(output)
    for number in range(3):
        with proton.scope(f"p{number}"):
            kernels.add()
        proton.data.advance_phase(session)
    proton.deactivate(session, flushing=True)
    proton.data.clear(session, 1, clear_up_to_phase=True)
    try:
        proton.data.get(session, 0)
    except IndexError as error:
        message = str(error)
    proton.finalize(session)
    return message


@scenario
def periodic_flushing(proton: Any, kernels: Kernels, output: str) -> None:
    session = proton.start(output, mode="periodic_flushing:format=hatchet")
    for number in range(3):
        with proton.scope(f"it{number}"):
            kernels.add()
        proton.data.advance_phase(session)
    proton.finalize(session)


@scenario
def periodic_bad_format(proton: Any, kernels: Kernels, output: str) -> None:
    proton.start(output, mode="periodic_flushing:format=zz")


@scenario
def periodic_bad_option(proton: Any, kernels: Kernels, output: str) -> None:
    proton.start(output, mode="periodic_flushing:color=red")


def child_names(tree: Any) -> list[str]:
    """Names of the frames right below the root."""
    return [child["frame"]["name"] for child in tree[0]["children"]]


def child_name(tree: Any, index: int) -> str:
    """Name of one frame right below the root."""
    return child_names(tree)[index]
