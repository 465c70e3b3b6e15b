"""Which process of a distributed run this is, as the run's launcher tells by the environment."""

import os

# Rank and size of torchrun, Open MPI, MPICH and Intel MPI, and Slurm. PMIx tells no size of its
# own. A Slurm batch script that starts no step is one process, whatever the job has room for.
_VARIABLES = (
    ("RANK", "WORLD_SIZE"),
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
    ("PMI_RANK", "PMI_SIZE"),
    ("PMIX_RANK", "SLURM_STEP_NUM_TASKS"),
    ("PMIX_RANK", "SLURM_NTASKS"),
    ("SLURM_PROCID", "SLURM_STEP_NUM_TASKS"),
)

_STANDARD_OUTPUT = ("-", "")


def rank() -> int | None:
    """This process's number among those of the run; None if it is the only one or none is told."""
    for rank_variable, size_variable in _VARIABLES:
        number, size = _number(rank_variable), _number(size_variable)
        if number is not None and size is not None and size > 1:
            return number
    return None


def with_rank(name: str) -> str:
    """The name of a profile with `.rank_<n>` behind it if there are several processes.

    So each process writes a file of its own. Standard output ("-" or "") stays what it is.
    """
    number = None if name in _STANDARD_OUTPUT else rank()
    return name if number is None else f"{name}.rank_{number}"


def _number(variable: str) -> int | None:
    text = os.environ.get(variable, "")
    return int(text) if text.isascii() and text.isdigit() else None
