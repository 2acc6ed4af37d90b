"""Compiled kernels; nothing here is public.

``shipped`` runs kernels compiled ahead, without Numba. ``compile`` has all that depends on
Numba's internals. ``numbers`` has numbers and SIMD batches, and runs a kernel on a batch. ``parts``
has sweeps over a tree that algorithms share, ``tensors`` the values of packed tensors, and
``algorithms`` the kernels, one per file, named as the public function. Each folder imports only
from those named before it. All know ``kernel``, the methods of a kernel wherever its code comes
from, and ``tree``. ``runner`` and ``call.c`` take arrays to a kernel and back, or ``python_call``,
where there is no extension in C.

Kernels know arrays and nothing of `Model`: they take a `Tree` and flat batches (B, n), and treat
one velocity variable at a time (rows of S), so that joints with several of them need no special
case beyond their transform. A kernel allocates its arrays once, and calls for each state the parts
that sweep outward and inward over the tree. Quantities are along the ground's axes, about a point
of the robot (`about_robot`) or each body's own origin (`about_body`), never about a distant base;
results about the base are shifted there at the end.

Arrays over bodies with nb + 1 rows have the base's row last, at index -1, which is the parent of a
root: the base's pose and motion are read there, and sums over the whole tree end there.
"""
