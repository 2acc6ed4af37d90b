"""Kernels, with the names of the public functions.

A kernel takes a `Tree`, then arguments, then its results: preallocated arrays that are zero on
entry and that it fills. B is the number of states, nb that of the bodies of the tree and nv that of
its velocity variables. A tree may have rotors as bodies, after the NB bodies of the model; NB_rot
is their number. Arguments that several kernels have:

q, qd, qdd, tau (B, n)
    Positions, velocities, accelerations and forces of the joints.
f_ext, f_body (B, nb, 6)
    External forces in base coordinates, constant in the base or in the bodies; of size 0 if none.
lam (B, n)
    Weights of the results, whose weighted sum is differentiated.

Code that several kernels share is in `parts`.
"""
