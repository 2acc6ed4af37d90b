"""Several states in one instruction.

A processor adds, multiplies and divides four or eight numbers in the time of one, if they lie side
by side. What a kernel does to one state it does to every other, so numbers of several states can
lie side by side: a *pack* is one number of `LANES` states, a lane being a state.

``width``
    how many lanes;
``pack``
    the type, with arithmetic and comparison, that numba compiles pages for;
``trig``
    sine and cosine of a pack;
``turn``
    blocks of a batch, whose states lie one after another, into packs, and back;
``arrays``
    arrays of packs: views of a batch's arrays that the turning needs, and pages see;
``columns``
    columns of a matrix of one state, side by side in packs;
``drive``
    takes a batch through a page, block by block.

Pages know nothing of this. They take numbers of either kind, and ask `numbers` for what depends on
it: room for more of them, and the sine and cosine.
"""
