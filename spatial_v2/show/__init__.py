"""Animation of robots: MATLAB's `showmotion`, in the browser, in notebooks and as pictures.

The drawing language is MATLAB's `appearance`; models without one are drawn as bones. Pages are
self-contained: they include the scene, a small program that moves it, and three.js to draw it.
"""

from spatial_v2.show.animation import Animation
from spatial_v2.show.bones import bones
from spatial_v2.show.show import show
from spatial_v2.show.showmotion import showmotion

__all__ = ["Animation", "bones", "show", "showmotion"]
