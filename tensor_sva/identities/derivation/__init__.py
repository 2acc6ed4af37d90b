"""Derivations of identities about joints, and the checker that follows them.

`terms` and `checker` are the base; `rules` has all rules, from `definitions`, `algebra` and
`transforms`. `trace` reads statements from code, `lemmas` has more statements, `search` finds
derivations, `theory` keeps what is proved, and `show` prints it.
"""
