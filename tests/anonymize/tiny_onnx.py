"""A small network of the large detector's form, written as ONNX bytes without the onnx package.

It sees a face of 32 pixels wherever eight by eight pixels are much redder than green; what it gives
for other strides and for landmarks is noise below any threshold. Field numbers: onnx.proto3.
"""

import numpy as np

STRIDES = (32, 16, 8)


def network(outputs: int = 9, channels: int = 3) -> bytes:
    """The whole file. outputs, channels: other than 9 and 3 make it a file of another model."""
    rng = np.random.default_rng(5)
    nodes = [_node("Transpose", ["x"], ["planes"], perm=[0, 3, 1, 2])]
    weights, names = [], []
    for stride in STRIDES:
        pooled = f"pooled{stride}"
        side = [stride, stride]
        nodes.append(_node("AveragePool", ["planes"], [pooled], kernel_shape=side, strides=side))
        for part, width in (("scores", 4), ("moves", 8), ("landmarks", 20)):
            name = f"{part}{stride}"
            values = rng.normal(0, 1e-6, (width, channels, 1, 1)).astype(np.float32)
            if part == "scores" and stride == 8:
                values[2, :2, 0, 0] = (1 / 255, -1 / 255)
            weights.append(_tensor(f"w{name}", values))
            nodes.append(_node("Conv", [pooled, f"w{name}"], [f"c{name}"], kernel_shape=[1, 1]))
            nodes.append(_node("Transpose", [f"c{name}"], [name], perm=[0, 2, 3, 1]))
            names.append(name)
    graph = b"".join(_field(1, node) for node in nodes) + _field(2, b"tiny")
    graph += b"".join(_field(5, weight) for weight in weights)
    graph += _field(11, _value("x", ["n", "h", "w", channels]))
    graph += b"".join(_field(12, _value(name, None)) for name in names[:outputs])
    return _number(1, 8) + _field(7, graph) + _field(8, _number(2, 17))


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _field(field: int, body: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(body)) + body


def _node(kind: str, inputs: list[str], outputs: list[str], **lists: list[int]) -> bytes:
    body = b"".join(_field(1, name.encode()) for name in inputs)
    body += b"".join(_field(2, name.encode()) for name in outputs)
    body += _field(4, kind.encode())
    for name, values in lists.items():
        numbers = b"".join(_number(8, value) for value in values)
        body += _field(5, _field(1, name.encode()) + _number(20, 7) + numbers)
    return body


def _tensor(name: str, values: np.ndarray) -> bytes:
    dims = b"".join(_number(1, side) for side in values.shape)
    return dims + _number(2, 1) + _field(8, name.encode()) + _field(9, values.tobytes())


def _value(name: str, shape: list[str | int] | None) -> bytes:
    kind = _number(1, 1)
    if shape is not None:
        dims = (
            _field(2, side.encode()) if isinstance(side, str) else _number(1, side)
            for side in shape
        )
        kind += _field(2, b"".join(_field(1, dim) for dim in dims))
    return _field(1, name.encode()) + _field(2, _field(1, kind))
