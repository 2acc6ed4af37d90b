"""Entries of kernels: functions of two addresses, where the arguments of the kernel are stored.

The code that calls kernels for Python is compiled only once, not with each kernel, since it calls
the kernel's entry by its address. An entry has two arguments. The first one is the address of the
kernel's first argument, which describes a tree. The second one is the address of the other
arguments, which follow the address of an arena, or 0. All are stored as 64-bit words: an array as
the address of its numbers and its lengths, a number as itself, and a tuple as its items.
"""

from collections.abc import Sequence
from typing import Any

from llvmlite import ir

from spatial_v2.engine.compile.extend import (
    cgutils,
    intrinsic,
    make_array,
    populate_array,
    types,
)
from spatial_v2.engine.compile.groups import grouped_types

_ENTRY, _TAKES = "entry.", (types.int64, types.int64)
RESULTS = types.none, types.boolean
"""Types of results of functions that have an entry: none, or True if all numbers are finite."""


def array_at(
    context: Any,
    builder: Any,
    kind: Any,
    data: Any,
    shape: Any,
    meminfo: Any = None,
    parent: Any = None,
) -> Any:
    """Emit code for a contiguous array of type `kind` that views given memory."""
    size = context.get_abi_sizeof(context.get_data_type(kind.dtype))
    itemsize = context.get_constant(types.intp, size)
    strides = [itemsize]
    for n in reversed(shape[1:]):
        strides.insert(0, builder.mul(strides[0], n))
    out = make_array(kind)(context, builder)
    populate_array(
        out,
        data=builder.bitcast(data, out.data.type),
        shape=shape,
        strides=strides,
        itemsize=itemsize,
        meminfo=meminfo,
        parent=parent and builder.inttoptr(parent, out.parent.type),
    )
    return out._getvalue()


class _Words:
    """Emits code that reads or writes successive 64-bit words."""

    def __init__(self, context: Any, builder: Any, start: Any) -> None:
        self.context, self.builder, self.start, self.count = context, builder, start, 0
        self.arena: Any = None

    def next(self) -> Any:
        """Emit code for a pointer to the next word."""
        self.count += 1
        return cgutils.gep_inbounds(self.builder, self.start, self.count - 1)

    def read(self, kind: Any) -> Any:
        """Emit code that reads the next value, of type `kind`."""
        context, builder = self.context, self.builder
        if isinstance(kind, types.BaseTuple):
            return context.make_tuple(builder, kind, [self.read(x) for x in kind])
        word = builder.load(self.next())
        if isinstance(kind, types.Array):
            shape = [builder.load(self.next()) for _ in range(kind.ndim)]
            data = builder.inttoptr(word, cgutils.voidptr_t)
            return array_at(context, builder, kind, data, shape, parent=self.arena)
        if isinstance(kind, types.Float):
            return builder.bitcast(word, context.get_value_type(kind))
        return context.cast(builder, word, types.int64, kind)

    def write(self, kind: Any, value: Any, lead: Sequence[Any] = ()) -> None:
        """Emit code that writes a value of type `kind`, an array with leading axes `lead`."""
        context, builder = self.context, self.builder
        words = [value]
        if isinstance(kind, types.BaseTuple):
            for one, x in zip(kind, cgutils.unpack_tuple(builder, value), strict=True):
                self.write(one, x, lead)
            return
        if isinstance(kind, types.Array):
            array = make_array(kind)(context, builder, value)
            data = builder.ptrtoint(array.data, cgutils.intp_t)
            words = [data, *lead, *cgutils.unpack_tuple(builder, array.shape)]
        elif isinstance(kind, types.Float):
            words = [builder.bitcast(value, cgutils.intp_t)]
        else:
            words = [context.cast(builder, value, kind, types.int64)]
        for word in words:
            builder.store(word, self.next())


def has_entry(kinds: Sequence[Any]) -> bool:
    """Return whether arguments of this type can be stored as words."""
    simple = types.Integer, types.Boolean
    return all(
        has_entry(tuple(kind)) if isinstance(kind, types.BaseTuple)
        else kind.layout == "C" if isinstance(kind, types.Array)
        else isinstance(kind, simple) or kind == types.float64
        for kind in kinds
    )  # fmt: skip


def _count(kinds: Sequence[Any]) -> int:
    """Return the number of words of values of given types."""
    return sum(
        _count(tuple(x)) if isinstance(x, types.BaseTuple) else 1 + getattr(x, "ndim", 0)
        for x in kinds
    )


def _call(context: Any, builder: Any, function: Any, result: Any, kinds: Any, values: Any) -> Any:
    """Emit a call of a Numba function, whose exceptions are passed on to the caller."""
    status, out = context.call_conv.call_function(builder, function, result, kinds, values)
    with builder.if_then(status.is_error, likely=False):
        context.call_conv.return_status_propagate(builder, status)
    return out


def add_entry(context: Any, library: Any, kernel: Any) -> None:
    """Add an entry to the library of a kernel, and make other functions call the kernel by it.

    The kernel's code is in the entry. It returns True where the kernel returns nothing.
    """
    module, convention = context.create_module("entry"), context.call_conv
    name, result, kinds = kernel.llvm_func_name, kernel.restype, kernel.argtypes
    entry = ir.Function(module, convention.get_function_type(types.boolean, _TAKES), _ENTRY + name)
    whole = convention.get_function_type(result, kinds)
    body, named = (ir.Function(module, whole, x) for x in (library.keep_inside(name), name))
    builder = ir.IRBuilder(entry.append_basic_block("entry"))
    places = [
        builder.inttoptr(x, cgutils.intp_t.as_pointer()) for x in convention.get_arguments(entry)
    ]
    first, others = (_Words(context, builder, x) for x in places)
    others.arena = builder.load(others.next())
    values = [first.read(kinds[0]), *map(others.read, kinds[1:])]
    out, tells = _call(context, builder, body, result, kinds, values), result == types.boolean
    for block in entry.blocks:
        for step in block.instructions:
            if isinstance(step, ir.CallInstr) and step.callee is body:
                step.attributes.add("alwaysinline")
    out = out if tells else cgutils.true_bit
    convention.return_value(builder, context.get_return_value(builder, types.boolean, out))

    builder = ir.IRBuilder(named.append_basic_block("entry"))
    packer = context.get_arg_packer(kinds)
    values = packer.from_arguments(builder, convention.get_arguments(named))
    sizes = _count(kinds[:1]), _count(kinds[1:]) + 1
    places = [cgutils.alloca_once(builder, cgutils.intp_t, size=n) for n in sizes]
    first, others = (_Words(context, builder, x) for x in places)
    builder.store(cgutils.intp_t(0), others.next())
    first.write(kinds[0], values[0])
    for kind, x in zip(kinds[1:], values[1:], strict=True):
        others.write(kind, x)
    places = [builder.ptrtoint(x, cgutils.intp_t) for x in places]
    out = _call(context, builder, entry, types.boolean, _TAKES, places)
    out = out if tells else context.get_dummy_value()
    convention.return_value(builder, context.get_return_value(builder, result, out))
    library.add_ir_module(module)


def entry_of(kernel: Any, kinds: tuple[Any, ...]) -> int:
    """Return the address of a kernel's entry for arrays of given types; compile it if needed."""
    kinds = grouped_types(kernel, kinds)
    kernel.compile(kinds)
    compiled = kernel.overloads[kinds]
    return int(compiled.library.get_pointer_to_function(_ENTRY + compiled.fndesc.llvm_func_name))


@intrinsic
def call_entry(typing: Any, entry: Any, first: Any, others: Any) -> Any:
    """Call the entry at an address with the addresses of the arguments."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        entry, *places = args
        kind = context.call_conv.get_function_type(types.boolean, _TAKES)
        function = builder.inttoptr(entry, kind.as_pointer())
        return _call(context, builder, function, types.boolean, _TAKES, places)

    return types.boolean(types.int64, *_TAKES), generate


@intrinsic
def write_state(typing: Any, address: Any, arrays: Any, forces: Any, outs: Any) -> Any:
    """Write the words of a kernel's arguments at an address, for arrays of one state.

    Arguments and results, two tuples, get a leading axis of length one; forces have theirs.
    """

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        one = cgutils.intp_t(1)
        words = _Words(context, builder, builder.inttoptr(args[0], cgutils.intp_t.as_pointer()))
        builder.store(cgutils.intp_t(0), words.next())
        for kind, x, lead in zip(
            (arrays, forces, outs), args[1:], ((one,), (), (one,)), strict=True
        ):
            words.write(kind, x, lead)
        return context.get_dummy_value()

    return types.void(address, arrays, forces, outs), generate


@intrinsic
def write_ranges(typing: Any, address: Any, outs: Any, arrays: Any, forces: Any) -> Any:
    """Write where the memory of contiguous arrays begins and ends, at an address."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        words = _Words(context, builder, builder.inttoptr(args[0], cgutils.intp_t.as_pointer()))
        for kinds, values in zip((outs, arrays, forces), args[1:], strict=True):
            for kind, x in zip(kinds, cgutils.unpack_tuple(builder, values), strict=True):
                array = make_array(kind)(context, builder, x)
                begin = builder.ptrtoint(array.data, cgutils.intp_t)
                size = builder.mul(array.nitems, array.itemsize)
                builder.store(begin, words.next())
                builder.store(builder.add(begin, size), words.next())
        return context.get_dummy_value()

    return types.void(address, outs, arrays, forces), generate
