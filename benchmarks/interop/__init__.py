"""Operators inside other tools."""
