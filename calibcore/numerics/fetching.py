"""Memory that is asked for before it is needed, in compiled loops that look at rows far apart."""

from typing import Any

from llvmlite import ir  # what numba compiles with, and brings
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

_LINE = 64
"""Bytes that a processor reads at once."""


def _fetch(_: Any, rows: Any, place: Any) -> Any:
    """Asks the processor for the lines of memory that ``rows[place]`` takes, without waiting for them."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, args[0])
        index = context.cast(builder, args[1], signature.args[1], types.intp)
        size = builder.extract_value(array.strides, 0)
        pointer, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        row = builder.gep(builder.bitcast(array.data, pointer), [builder.mul(index, size)])
        takes = ir.FunctionType(ir.VoidType(), [pointer, number, number, number])
        ask = builder.module.declare_intrinsic("llvm.prefetch", [pointer], takes)
        how = number(0), number(3), number(1)  # to read, soon, and no code
        with cgutils.for_range_slice(builder, size.type(0), size, size.type(_LINE)) as (place, _):
            builder.call(ask, [builder.gep(row, [place]), *how])
        return context.get_dummy_value()

    return types.void(rows, place), code


fetch: Any = intrinsic(_fetch)
