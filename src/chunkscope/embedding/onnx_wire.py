"""As much of ONNX's file format as a graph needs: fields of Protocol Buffers, written out."""

import struct
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

FLOAT, INT32, INT64 = 1, 6, 7
"""Numbers of element types."""

OWN = "com.microsoft"
"""The domain of what only ONNX Runtime knows."""

_KINDS = {np.dtype(np.float32): FLOAT, np.dtype(np.int64): INT64}

Attribute = int | float | tuple[int, ...]


def message(*fields: bytes) -> bytes:
    """The fields of a message, one after another."""
    return b"".join(fields)


def number(field: int, value: int) -> bytes:
    """A whole number."""
    return _varint(field << 3) + _varint(value)


def data(field: int, value: bytes | str) -> bytes:
    """Text, bytes, or a message within."""
    raw = value.encode() if isinstance(value, str) else value
    return _varint(field << 3 | 2) + _varint(len(raw)) + raw


def tensor(name: str, values: npt.NDArray[np.float32] | npt.NDArray[np.int64]) -> bytes:
    """A TensorProto."""
    little = values.astype(values.dtype.newbyteorder("<"), copy=False)
    return message(
        *(number(1, size) for size in values.shape),
        number(2, _KINDS[values.dtype]),
        data(8, name),
        data(9, little.tobytes()),
    )


def node(
    kind: str,
    inputs: Sequence[str],
    output: str,
    attributes: dict[str, Attribute],
    domain: str = "",
) -> bytes:
    """A NodeProto of one output."""
    return message(
        *(data(1, one) for one in inputs),
        data(2, output),
        data(4, kind),
        *(data(5, _attribute(name, value)) for name, value in attributes.items()),
        data(7, domain),
    )


def value_info(name: str, element: int, shape: Sequence[int | str]) -> bytes:
    """A ValueInfoProto of a tensor; a size that is a name may be any."""
    sizes = (data(1, data(2, size) if isinstance(size, str) else number(1, size)) for size in shape)
    inner = message(number(1, element), data(2, message(*sizes)))
    return message(data(1, name), data(2, data(1, inner)))


def model(
    nodes: Sequence[bytes],
    tensors: Sequence[bytes],
    inputs: Sequence[bytes],
    outputs: Sequence[bytes],
    opset: int,
) -> bytes:
    """A ModelProto, the content of an ONNX file."""
    graph = message(
        *(data(1, one) for one in nodes),
        data(2, "graph"),
        *(data(5, one) for one in tensors),
        *(data(11, one) for one in inputs),
        *(data(12, one) for one in outputs),
    )
    versions = (("", opset), (OWN, 1))
    return message(
        number(1, 8),
        data(7, graph),
        *(data(8, message(data(1, domain), number(2, one))) for domain, one in versions),
    )


def _attribute(name: str, value: Attribute) -> bytes:
    if isinstance(value, tuple):
        return message(data(1, name), *(number(8, one) for one in value), number(20, 7))
    if isinstance(value, int):
        return message(data(1, name), number(3, value), number(20, 2))
    packed = _varint(2 << 3 | 5) + struct.pack("<f", value)
    return message(data(1, name), packed, number(20, 1))


def _varint(value: int) -> bytes:
    # Numbers below zero stand as their complement to 2⁶⁴.
    value &= (1 << 64) - 1
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    found.append(value)
    return bytes(found)
