"""Timed calls of other libraries, each optional and imported only where it is measured."""
