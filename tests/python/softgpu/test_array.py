from typing import Any

import pytest
from support.children import REPOSITORY, run_for_json


@pytest.fixture(scope="module")
def facts() -> dict[str, Any]:
    code = """
        import gc, json
        from proton_xpu import softgpu
        softgpu.activate()
        import numpy as np
        from proton_xpu.softgpu import array
        from proton_xpu.softgpu.array import DTYPES, DeviceArray, empty_like, from_numpy, zeros
        facts = {}
        values = np.arange(24).reshape(2, 3, 4)
        facts["round trips"] = [
            name for name in DTYPES
            if (from_numpy(values % 2 if name == "bool" else values, name).numpy()
                == (values % 2 if name == "bool" else values)).all()
        ]
        a = from_numpy(values.astype(np.float32), "bfloat16")
        facts["shape"] = [a.shape, a.strides, a.stride(1), a.ndim, a.size, a.numel(), a.nbytes,
                          a.element_size(), str(a.storage_dtype), repr(a)]
        facts["aligned"] = a.data_ptr() % 16
        facts["zeros"] = zeros((3, 2), "int64").numpy().tolist()
        facts["like"] = [empty_like(a).dtype, empty_like(a, "int8").dtype,
                         empty_like(values).shape, empty_like(values).dtype]
        scalar, nothing = from_numpy(np.float64(1.5)), from_numpy(np.zeros((0, 4)))
        facts["scalar"] = [scalar.shape, float(scalar.numpy())]
        facts["empty"] = [nothing.numpy().shape, nothing.data_ptr() != 0]
        transposed = from_numpy(values[0].T)
        facts["transposed"] = transposed.numpy().tolist() == values[0].T.tolist()
        errors = []
        for attempt in (
            lambda: DeviceArray(4, "float8"),
            lambda: DeviceArray((2, -1)),
            lambda: a.copy_from(np.zeros(3)),
            lambda: from_numpy(np.zeros(2, np.complex64)),
        ):
            try:
                attempt()
            except ValueError as error:
                errors.append(str(error).split(";")[0])
        facts["errors"] = errors
        kept = array._memory_of(a.queue)
        del a
        gc.collect()
        facts["retired"] = len(kept._retired) > 0
        array.synchronize()
        facts["after waiting"] = len(kept._retired)
        print(json.dumps(facts))
    """
    result: dict[str, Any] = run_for_json(code, path=[REPOSITORY])
    return result


def test_values_of_every_type_go_to_the_device_and_back(facts: dict[str, Any]) -> None:
    # 24 does not fit three bits of float8_e5m2's fraction: 17, 19, 21 and 23 are rounded.
    assert facts["round trips"] == [
        *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
        *("float16", "float32", "float64", "bfloat16"),
    ]


def test_facts_of_an_array(facts: dict[str, Any]) -> None:
    assert facts["shape"] == [
        [2, 3, 4], [12, 4, 1], 4, 3, 24, 24, 48, 2, "uint16",
        "DeviceArray(shape=(2, 3, 4), dtype='bfloat16')",
    ]  # fmt: skip
    assert facts["aligned"] == 0
    assert facts["zeros"] == [[0, 0], [0, 0], [0, 0]]
    assert facts["like"] == ["bfloat16", "int8", [2, 3, 4], "int64"]


def test_odd_shapes(facts: dict[str, Any]) -> None:
    assert facts["scalar"] == [[], 1.5]
    assert facts["empty"] == [[0, 4], True]
    assert facts["transposed"] is True


def test_wrong_values_are_refused(facts: dict[str, Any]) -> None:
    assert facts["errors"] == [
        "no element type 'float8'",
        "sizes are not negative: (2, -1)",
        "the array has shape (2, 3, 4), the values (3,)",
        "no element type 'complex64'",
    ]


def test_dropped_memory_is_kept_until_the_queue_is_idle(facts: dict[str, Any]) -> None:
    assert facts["retired"] is True
    assert facts["after waiting"] == 0
