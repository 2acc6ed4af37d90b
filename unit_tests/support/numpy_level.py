"""Translation by NumPy alone: a line that cannot be translated so is left as a comment."""

from functools import partial

from spatial_v2.migrate import translate as translate_by_either

__all__ = ["translate"]

translate = partial(translate_by_either, level="numpy")
