"""Interfaces to other tools: one file or folder for each, imported where the tool is installed."""

import spatial_v2.beside  # noqa: F401 - an error if a user's file hides derivatives
