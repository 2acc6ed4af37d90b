"""Numbers and SIMD batches, and the transfer of batches to kernels.

A processor adds, multiplies and divides four or eight adjacent numbers in the time of one. A kernel
performs the same operations for every state, so numbers of several states can be adjacent: a *SIMD
batch* has one number of each of `SIMD_WIDTH` states. Its width is chosen in `compile.simd_width`.

``kinds``
    operations that depend on the kind of number: allocation, sine and cosine;
``vectors``
    spatial vectors in registers;
``simd_batch``
    the type, with arithmetic and comparison, that numba compiles kernels for;
``trig``
    sine and cosine of a SIMD batch;
``transpose``
    transposition of blocks of a batch, whose states are contiguous, into SIMD batches and back;
``simd_arrays``
    arrays of SIMD batches, and views of a batch's arrays for the transposition;
``simd_columns``, ``column_blocks``
    columns of a matrix of one state in SIMD batches;
``batches``
    runs a kernel on a batch, block by block;
``arena``, ``cache_lines``
    reusable memory for kernels, and cache lines.

Kernels do not depend on this. They accept numbers of either kind.
"""
