"""Numbers, and several states in one instruction.

A processor adds, multiplies and divides four or eight numbers in the time of one, if they lie side
by side. What a kernel does to one state it does to every other, so numbers of several states can
lie side by side: a *SIMD batch* is one number of `SIMD_WIDTH` states. Its width is
chosen in `compile.simd_width`.

``kinds``
    what depends on the kind of number: room for more of them, the sine and cosine;
``vectors``
    spatial vectors in registers;
``simd_batch``
    the type, with arithmetic and comparison, that numba compiles kernels for;
``trig``
    sine and cosine of a SIMD batch;
``transpose``
    blocks of a batch, whose states lie one after another, into SIMD batches, and back;
``simd_arrays``
    arrays of SIMD batches: views of a batch's arrays that the transposing needs;
``simd_columns``, ``column_blocks``
    columns of a matrix of one state, side by side in SIMD batches;
``batches``
    takes a batch through a kernel, block by block;
``arena``, ``cache_lines``
    memory that kernels take over and over, and lines of the cache.

Kernels know nothing of this. They take numbers of either kind.
"""
