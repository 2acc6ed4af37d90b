"""The course: executable chapters with exercises that check answers.

``spatial-v2 course`` writes the chapters as notebooks. `check` checks the answer to an exercise,
`hint` helps with it, `hands_on` shows a figure to move, `short_form` compares an algorithm in a few
lines with the library, `source` shows the code of a function, and `picture` shows a drawing. For
lecturers, `write_slides` writes slides, `write_assignments` assignments for nbgrader, and
`write_problems` a problem set.
"""

from spatial_v2.course.brick import brick
from spatial_v2.course.check import check
from spatial_v2.course.drawing import Picture, picture
from spatial_v2.course.exercise import Exercise, Verdict
from spatial_v2.course.hands_on import HandsOn, hands_on
from spatial_v2.course.hint import Hint, hint
from spatial_v2.course.short_form import ShortForm, short_form
from spatial_v2.course.source import Source, source
from spatial_v2.course.write_assignments import write_assignments
from spatial_v2.course.write_course import write_course
from spatial_v2.course.write_problems import write_problems
from spatial_v2.course.write_slides import write_slides

__all__ = [
    "Exercise", "HandsOn", "Hint", "Picture", "ShortForm", "Source", "Verdict", "brick", "check",
    "hands_on", "hint", "picture", "short_form", "source", "write_assignments", "write_course",
    "write_problems", "write_slides",
]  # fmt: skip
