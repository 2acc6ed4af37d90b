"""Functions of text that give MATLAB's text, imported by translations."""

from __future__ import annotations

from spatial_v2.matlab.runtime.formats import MARK, num2str, sprintf, strrep, strsplit

__all__ = ["MARK", "num2str", "sprintf", "strrep", "strsplit"]
