"""Arrays in GPU memory for test_device.py.

A `Library` puts positions into GPU memory and reads columns of results there. `Torch`, `Cupy` and `Jax` need a GPU and
the library. `Interface` and `Capsules` are made of numpy for the emulated GPU, whose memory is that of the host: arrays
that say they are in GPU memory, by __cuda_array_interface__ and by DLPack.
"""

from __future__ import annotations

import ctypes
import importlib
import os
import unittest
from typing import Any

import numpy as np

# ------------------------------------------------------------------------------------- arrays of numpy as GPU memory


class InterfaceArray:
    """An array of numpy that says it is in GPU memory, with entries of its interface replaced by `changes`."""

    def __init__(self, x: np.ndarray, **changes: Any) -> None:
        self.x = x
        self.asked = 0
        self.interface = {
            "shape": x.shape,
            "typestr": x.dtype.str,
            "data": (x.ctypes.data, not x.flags.writeable),
            "strides": None if x.flags.c_contiguous else x.strides,
            "stream": None,
            "version": 3,
            **changes,
        }

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        self.asked += 1
        return self.interface


class Place(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int32), ("number", ctypes.c_int32)]


class ValueType(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("place", Place),
        ("dimensions", ctypes.c_int32),
        ("type", ValueType),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class ManagedTensor(ctypes.Structure):
    """DLManagedTensor of DLPack."""


GIVE_BACK = ctypes.CFUNCTYPE(None, ctypes.POINTER(ManagedTensor))
ManagedTensor._fields_ = [("tensor", Tensor), ("context", ctypes.c_void_p), ("give_back", GIVE_BACK)]

NAME = b"dltensor"  # capsules keep the pointer to their name, so the bytes must stay
USED_NAME = b"used_dltensor"
CUDA = 2
KINDS = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}


def _of_python(name: str, result: Any, *arguments: Any) -> Any:
    """A function of Python's C interface, which is called with the GIL."""
    return ctypes.PYFUNCTYPE(result, *arguments)((name, ctypes.pythonapi))


new_capsule = _of_python("PyCapsule_New", ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
pointer_of = _of_python("PyCapsule_GetPointer", ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
name_of = _of_python("PyCapsule_GetName", ctypes.c_char_p, ctypes.py_object)
set_name = _of_python("PyCapsule_SetName", ctypes.c_int, ctypes.py_object, ctypes.c_char_p)


class CapsuleArray:
    """An array of numpy that DLPack hands over as GPU memory. Lives until what it has handed over is given back.

    `out` counts the tensors that were handed over and not given back. `device` is what __dlpack_device__ returns;
    `place`, `lanes`, `byte_offset` and `with_strides` describe the tensor.
    """

    alive: set[CapsuleArray] = set()  # arrays whose tensors are out

    def __init__(self, x: np.ndarray, *, device: Any = (CUDA, 0), place: Any = (CUDA, 0), lanes: int = 1,
                 byte_offset: int = 0, with_strides: bool = True) -> None:
        self.x = x
        self.device, self.place = device, place
        self.lanes, self.byte_offset, self.with_strides = lanes, byte_offset, with_strides
        self.out = 0
        self.streams: list[Any] = []
        self._made: list[Any] = []
        self._give_back = GIVE_BACK(self._take_back)

    def __dlpack_device__(self) -> Any:
        return self.device

    def __dlpack__(self, *, stream: Any = None) -> Any:
        self.streams.append(stream)
        return self.capsule()

    def capsule(self) -> Any:
        x = self.x
        shape = (ctypes.c_int64 * x.ndim)(*x.shape)
        strides = (ctypes.c_int64 * x.ndim)(*[stride // x.itemsize for stride in x.strides])
        pointer = ctypes.POINTER(ctypes.c_int64)
        managed = ManagedTensor()
        managed.tensor.data = x.ctypes.data - self.byte_offset
        managed.tensor.place = Place(*self.place)
        managed.tensor.dimensions = x.ndim
        managed.tensor.type = ValueType(KINDS[x.dtype.kind], 8 * x.itemsize, self.lanes)
        managed.tensor.shape = ctypes.cast(shape, pointer)
        managed.tensor.strides = ctypes.cast(strides, pointer) if self.with_strides else pointer()
        managed.tensor.byte_offset = self.byte_offset
        managed.give_back = self._give_back
        self._made.append((managed, shape, strides))
        self.out += 1
        CapsuleArray.alive.add(self)
        return new_capsule(ctypes.addressof(managed), NAME, None)

    def _take_back(self, tensor: Any) -> None:
        self.out -= 1
        if self.out == 0:
            CapsuleArray.alive.discard(self)


# ------------------------------------------------------------------------------------------ columns as host memory


class _Viewed:
    """What numpy makes an array of; `owner` keeps the memory."""

    def __init__(self, interface: dict[str, Any], owner: Any) -> None:
        self.__array_interface__ = interface
        self.owner = owner


def read_interface(column: Any) -> np.ndarray:
    """The values of a column, by its __cuda_array_interface__, whose memory is that of the host."""
    interface = dict(column.__cuda_array_interface__)
    assert interface.pop("stream") is None and interface["version"] == 3
    if 0 in interface["shape"]:
        return np.empty(interface["shape"], dtype=interface["typestr"])
    return np.asarray(_Viewed(interface, column))


class TakenTensor:
    """A tensor taken over from a capsule, with the duty to give it back."""

    def __init__(self, capsule: Any) -> None:
        assert name_of(capsule) == NAME
        self.managed = ManagedTensor.from_address(pointer_of(capsule, NAME))
        set_name(capsule, USED_NAME)

    def give_back(self) -> None:
        # The call gives the GIL back meanwhile, as libraries do that free memory on threads of their own.
        self.managed.give_back(ctypes.byref(self.managed))

    def array(self) -> np.ndarray:
        """A view, valid until give_back()."""
        tensor = self.managed.tensor
        assert (tensor.place.kind, tensor.place.number, tensor.type.lanes) == (CUDA, 0, 1)
        size = tensor.type.bits // 8
        kind = {number: letter for letter, number in KINDS.items()}[tensor.type.kind]
        shape = tuple(tensor.shape[i] for i in range(tensor.dimensions))
        if 0 in shape:
            return np.empty(shape, dtype=f"{kind}{size}")
        strides = tuple(size * tensor.strides[i] for i in range(tensor.dimensions))
        address = tensor.data + tensor.byte_offset
        interface = {"shape": shape, "strides": strides, "typestr": f"<{kind}{size}", "data": (address, True)}
        return np.asarray(_Viewed({**interface, "version": 3}, self))


def read_capsule(column: Any) -> np.ndarray:
    """A copy of the values of a column, by DLPack, whose memory is that of the host."""
    assert column.__dlpack_device__() == (CUDA, 0)
    taken = TakenTensor(column.__dlpack__(stream=1, max_version=(1, 0)))
    try:
        return taken.array().copy()
    finally:
        taken.give_back()


# ------------------------------------------------------------------------------------------------------- libraries


class Library:
    """Puts arrays of numpy into GPU memory, and reads arrays there. Raises SkipTest if it cannot."""

    mutable = True  # whether queries may write to its arrays

    def put(self, x: np.ndarray) -> Any:
        """A copy of an array of numpy, in GPU memory."""
        raise NotImplementedError

    def get(self, array: Any) -> np.ndarray:
        """A copy of an array of this library, in host memory."""
        raise NotImplementedError

    def columns(self, column: Any) -> list[np.ndarray]:
        """The values of a column of a result, by every way that the library knows."""
        raise NotImplementedError


class Interface(Library):
    def put(self, x: np.ndarray) -> Any:
        return InterfaceArray(x.copy())

    def get(self, array: Any) -> np.ndarray:
        return array.x.copy()

    def columns(self, column: Any) -> list[np.ndarray]:
        return [read_interface(column)]


class Capsules(Interface):
    def put(self, x: np.ndarray) -> Any:
        return CapsuleArray(x.copy())

    def columns(self, column: Any) -> list[np.ndarray]:
        return [read_capsule(column)]


def imported(module: str, name: str) -> Any:
    """A module of a library; skips the tests if it is not installed."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise unittest.SkipTest(f"{name} cannot be imported: {error}") from error


class InterfaceOnly:
    """An array of a library by its __cuda_array_interface__ alone, without its DLPack."""

    def __init__(self, array: Any) -> None:
        self.array = array

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return self.array.__cuda_array_interface__  # type: ignore[no-any-return]


class Torch(Library):
    def __init__(self) -> None:
        self.torch = imported("torch", "PyTorch")
        if not self.torch.cuda.is_available():
            raise unittest.SkipTest("this PyTorch cannot use the GPU")

    def put(self, x: np.ndarray) -> Any:
        return self.torch.tensor(x, device="cuda")

    def get(self, array: Any) -> np.ndarray:
        return array.cpu().numpy()  # type: ignore[no-any-return]

    def columns(self, column: Any) -> list[np.ndarray]:
        return [self.get(take(column)) for take in (self.torch.as_tensor, self.torch.from_dlpack)]


class Cupy(Library):
    def __init__(self) -> None:
        self.cupy = imported("cupy", "CuPy")

    def put(self, x: np.ndarray) -> Any:
        return self.cupy.asarray(x)

    def get(self, array: Any) -> np.ndarray:
        return self.cupy.asnumpy(array)  # type: ignore[no-any-return]

    def columns(self, column: Any) -> list[np.ndarray]:
        return [self.get(take(column)) for take in (self.cupy.asarray, self.cupy.from_dlpack)]


class TorchInterface(Torch):
    """PyTorch without DLPack."""

    def put(self, x: np.ndarray) -> Any:
        return InterfaceOnly(super().put(x))

    def get(self, array: Any) -> np.ndarray:
        return super().get(getattr(array, "array", array))


class CupyInterface(Cupy):
    """CuPy without DLPack."""

    def put(self, x: np.ndarray) -> Any:
        return InterfaceOnly(super().put(x))

    def get(self, array: Any) -> np.ndarray:
        return super().get(getattr(array, "array", array))


class Jax(Library):
    """Arrays of JAX do not change, and have no gaps between rows: columns are copied by CuPy or PyTorch first."""

    mutable = False

    def __init__(self) -> None:
        os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # other libraries need memory, too
        self.jax = imported("jax", "JAX")
        self.jax.config.update("jax_enable_x64", True)
        imported("jax.dlpack", "JAX")
        try:
            self.device = self.jax.devices("gpu")[0]
        except RuntimeError as error:
            raise unittest.SkipTest(f"this JAX cannot use the GPU: {error}") from error

    def put(self, x: np.ndarray) -> Any:
        return self.jax.device_put(x, self.device)

    def get(self, array: Any) -> np.ndarray:
        return np.asarray(array)

    def columns(self, column: Any) -> list[np.ndarray]:
        try:
            cupy = importlib.import_module("cupy")
        except ImportError:
            torch = imported("torch", "neither CuPy nor PyTorch, one of which JAX needs for results,")
            copy = torch.as_tensor(column).contiguous()
        else:
            copy = cupy.ascontiguousarray(cupy.asarray(column))
        return [self.get(self.jax.dlpack.from_dlpack(copy))]
