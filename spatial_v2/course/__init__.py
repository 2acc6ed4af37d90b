"""The course: executable chapters with exercises that check answers.

``spatial-v2 course`` writes the chapters as notebooks. `check` checks the answer to an exercise,
`source` shows the source code of an algorithm, and `picture` shows a drawing.
"""

from spatial_v2.course.brick import brick
from spatial_v2.course.check import check
from spatial_v2.course.drawing import Picture, picture
from spatial_v2.course.exercise import Exercise, Verdict
from spatial_v2.course.source import Source, source
from spatial_v2.course.write_course import write_course

__all__ = [
    "Exercise", "Picture", "Source", "Verdict", "brick", "check", "picture", "source",
    "write_course",
]  # fmt: skip
