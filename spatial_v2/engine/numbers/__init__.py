"""Numbers and SIMD batches, and the transfer of batches to kernels.

A processor adds, multiplies and divides four or eight adjacent numbers in the time of one. A kernel
performs the same operations for every state, so numbers of as many states can be adjacent: a *SIMD
batch* has one number of each of `SIMD_WIDTH` states. `compile.simd_width` chooses the width.

``kinds``
    operations that depend on the kind of number: allocation, sine and cosine;
``vectors``
    spatial vectors in registers;
``simd_batch``
    the Numba type of SIMD batches, with arithmetic and comparison;
``trig``
    sine and cosine of a SIMD batch;
``sines``
    those of several angles of one state;
``transpose``
    transposition of blocks of a batch, whose states are contiguous, into SIMD batches and back;
``simd_arrays``
    arrays of SIMD batches, and views of a batch's arrays for the transposition;
``simd_columns``, ``column_blocks``
    columns of a matrix of one state in SIMD batches;
``batches``
    calls of a kernel on a batch, block by block;
``workspaces``
    allocation of workspaces as they are declared;
``arena``, ``cache_lines``
    reusable memory for kernels, and the size of cache lines.

The source of a kernel does not depend on the kind of number: it is compiled for both.
"""
