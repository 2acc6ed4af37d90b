"""Workspaces of kernels, allocated as they are declared.

A workspace is a named tuple; annotations of its fields have the shapes of arrays, such as
``R: Annotated[Floats, "nb + 1, 3, 3"]``, or the arguments of the function that allocates another
workspace: for a `FramePath`, that is `new_frame_path` beside it.
"""

import re
import sys
from collections.abc import Callable
from typing import TypeVar, get_args, get_type_hints

import numpy as np

from spatial_v2.engine.compile.decorators import within
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.tree import Floats, Ints

T = TypeVar("T")


def allocator(kind: type[T], parameters: str) -> Callable[..., T]:
    """Return a function of these parameters that allocates a workspace, inlined where it is called.

    Arrays of real numbers have the kind of number of the parameter q. Fields without a shape are
    parameters.
    """
    names = {**vars(sys.modules[kind.__module__]), "empty": empty, "np": np, "kind": kind}
    fields = []
    for name, hint in get_type_hints(kind, include_extras=True).items():
        array, shape = get_args(hint) if hasattr(hint, "__metadata__") else (None, "")
        if array is None:
            fields.append(name)
        elif array in (Floats, Ints):
            fields.append(
                f"empty(q, {shape})" if array == Floats else f"np.empty(({shape},), np.int64)"
            )
        else:
            new = "new" + re.sub("([A-Z])", r"_\1", array.__name__).lower()
            names[new] = getattr(sys.modules[array.__module__], new)
            fields.append(f"{new}({shape})")
    exec(f"def allocate({parameters}):\n    return kind({', '.join(fields)})", names)
    allocate: Callable[..., T] = within(names["allocate"])
    return allocate
