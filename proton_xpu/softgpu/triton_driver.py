"""A Triton driver for the XPU backend on a dpctl queue: Triton kernels without Torch.

The backend's own compiler, launchers and SYCL calls are used; what it asks of Torch (the current
queue and the device's properties) is answered here. Works on the software device and on a GPU::

    from proton_xpu import softgpu
    softgpu.activate_if_needed()
    from proton_xpu.softgpu import array, triton_driver
    triton_driver.install()
    kernel[grid](array.from_numpy(x), ...)
"""

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import triton
import triton.backends
import triton.runtime.build
from triton.backends.compiler import GPUTarget

from proton_xpu.softgpu import launcher_build, level_zero, loader
from proton_xpu.softgpu.array import default_queue

if TYPE_CHECKING:
    import dpctl

# triton-xpu is developed for these; see its arch_parser. By major.minor of the IP version.
_PONTE_VECCHIO = ((12, 60), (12, 61))
_XE2_AND_LATER = 20
_ALCHEMIST = ((12, 55), (12, 56), (12, 57))
_ARROW_LAKE_H = (12, 74)
_TARGET_WARP_SIZE = 32
_WARMUP_SECONDS = 0.025
_BENCHMARK_SECONDS = 0.1


@dataclass(frozen=True)
class Features:
    """What the compiler may use of the hardware.

    Attributes:
        dpas: the matrix engine, for tl.dot.
        block_io: loads and stores of 2D blocks, for block pointers.
        bfloat16: conversions between bfloat16 and float32.
        tensor_float32: float32 inputs to the matrix engine.
        sub_group_sizes: those that kernels may ask for; the smallest is the matrix engine's width.
    """

    dpas: bool = False
    block_io: bool = False
    bfloat16: bool = False
    tensor_float32: bool = False
    sub_group_sizes: tuple[int, ...] = (16, 32)

    @classmethod
    def of(cls, ip_version: int, sub_group_sizes: Sequence[int]) -> "Features":
        """Those of an architecture, by its IP version (major << 22 | minor << 14 | revision)."""
        version = (ip_version >> 22, ip_version >> 14 & 0xFF)
        full = version in _PONTE_VECCHIO or version[0] >= _XE2_AND_LATER
        some = full or version in _ALCHEMIST or version == _ARROW_LAKE_H
        return cls(
            dpas=some,
            block_io=full,
            bfloat16=some,
            tensor_float32=full,
            sub_group_sizes=tuple(sorted(sub_group_sizes)),
        )


class QueueDriver:
    """Triton's driver interface; made by `install`.

    What is not defined here is the backend's own.
    """

    def __init__(self, queue: "dpctl.SyclQueue", features: Features, ip_version: int) -> None:
        self.queue = queue
        self.features = features
        self._ip_version = ip_version
        self._backend = triton.backends.backends["intel"]
        self._own: Any = self._backend.driver()
        self._utils: Any = None
        # Its own launcher class compiles and calls the SYCL launcher.
        self.launcher_cls = self._own.launcher_cls
        self._keep_features()

    @property
    def utils(self) -> Any:
        """The backend's helper library, made for this queue when first needed."""
        if self._utils is None:
            queue_address = self.queue.addressof_ref

            class Utils(_namespace_of(self._own)["XPUUtils"]):  # type: ignore[misc]
                def get_sycl_queue(self) -> int:
                    return int(queue_address())

            self._utils = Utils()
        return self._utils

    def get_current_device(self) -> int:
        """Index of the device: a queue has one."""
        return 0

    def get_current_stream(self, device: int) -> int:
        """Address of the SYCL queue that kernels are submitted to."""
        del device
        return int(self.queue.addressof_ref())

    def get_current_target(self) -> GPUTarget:
        """The compiler's target: device properties under the names that Torch gives them."""
        device = self.queue.sycl_device
        properties = {
            "name": device.name,
            "vendor": device.vendor,
            "driver_version": device.driver_version,
            "version": device.driver_version,
            "platform_name": device.sycl_platform.name,
            "architecture": self._ip_version << 8,  # As in SYCL's enumeration.
            "gpu_eu_count": device.max_compute_units,
            "max_work_group_size": device.max_work_group_size,
            "max_num_sub_groups": device.max_num_sub_groups,
            "sub_group_sizes": list(self.features.sub_group_sizes),
            "has_fp16": device.has_aspect_fp16,
            "has_fp64": device.has_aspect_fp64,
            "has_atomic64": device.has_aspect_atomic64,
            **self._feature_properties(),
        }
        return GPUTarget("xpu", properties, _TARGET_WARP_SIZE)

    def get_benchmarker(self) -> Callable[..., Any]:
        """What Triton's autotuner times candidates with: host time to the queue's end."""
        return self._benchmark

    def __getattr__(self, name: str) -> Any:
        return getattr(self._own, name)

    def _feature_properties(self) -> dict[str, bool]:
        return {
            "has_subgroup_matrix_multiply_accumulate": self.features.dpas,
            "has_subgroup_2d_block_io": self.features.block_io,
            "has_bfloat16_conversions": self.features.bfloat16,
            "has_subgroup_matrix_multiply_accumulate_tensor_float32": self.features.tensor_float32,
        }

    def _keep_features(self) -> None:
        """Where ocloc is installed the backend asks it, once, instead of believing the target."""
        asked = self._backend.compiler.device_props
        for name in ("pvc", "bmg", "lnl", "dg2", "mtl"):
            asked[name] = self._feature_properties()

    def _benchmark(
        self,
        kernel_call: Callable[[], object],
        *,
        quantiles: Sequence[float] | None = None,
        **_ignored: object,
    ) -> float | list[float]:
        """Milliseconds of a call: quantiles, or the median."""
        times: list[float] = []
        kernel_call()
        self.queue.wait()
        begin = time.perf_counter()
        while True:
            start = time.perf_counter()
            kernel_call()
            self.queue.wait()
            end = time.perf_counter()
            if end - begin > _WARMUP_SECONDS:
                times.append((end - start) * 1e3)
            if times and end - begin > _WARMUP_SECONDS + _BENCHMARK_SECONDS:
                break
        if quantiles is None:
            return float(np.median(times))
        return [float(value) for value in np.quantile(times, quantiles)]


def install(
    queue: "dpctl.SyclQueue | None" = None, *, features: Features | None = None
) -> QueueDriver:
    """Make a dpctl queue the one that Triton launches kernels to.

    Args:
        queue: in order or not; None for the in-order default queue of `array`.
        features: what the compiler may use; None for what the device's architecture has.

    Raises:
        RuntimeError: there is no Level Zero GPU, or something that launchers are compiled with is
            missing.
    """
    launcher_build.prepare()
    queue = default_queue() if queue is None else queue
    ip_version = _ip_version_of(queue)
    if features is None:
        features = Features.of(ip_version, queue.sycl_device.sub_group_sizes)
    driver = QueueDriver(queue, features, ip_version)
    _build_without_torch()
    triton.runtime.driver.set_active(driver)
    return driver


def _ip_version_of(queue: "dpctl.SyclQueue") -> int:
    """The IP version of a queue's device, which dpctl does not tell; 0 if Level Zero does not."""
    name = queue.sycl_device.name
    gpus = level_zero.gpus(loader.preload())
    return next((gpu.ip_version for gpu in gpus if gpu.name == name), 0)


def _namespace_of(backend_driver: object) -> dict[str, Any]:
    """The globals of the backend's driver module, which is loaded by path and has no name."""
    namespace: dict[str, Any] = type(backend_driver).__init__.__globals__
    return namespace


def _build_without_torch() -> None:
    """Have Triton compile its helper libraries as for XPU, without asking Torch."""
    build = vars(triton.runtime.build)
    if "is_xpu" in build:
        build["is_xpu"] = _true
    # The module is there twice: as the backend's driver, and imported by the backend's compiler.
    imported = vars(sys.modules["triton.backends.intel.driver"])
    for namespace in (_namespace_of(triton.backends.backends["intel"].driver()), imported):
        namespace["_build"] = _build_quietly


def _true() -> bool:
    return True


def _build_quietly(*args: Any, extra_compile_args: Sequence[str] = (), **kwargs: Any) -> Any:
    """Triton's build, without the warnings of SYCL's headers and of its own generated code."""
    options = [*extra_compile_args, "-w", "-DSYCL_DISABLE_FSYCL_SYCLHPP_WARNING"]
    return triton.runtime.build._build(*args, extra_compile_args=options, **kwargs)
