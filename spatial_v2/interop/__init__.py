"""Interfaces to other tools: one file or folder for each, imported where the tool is installed."""
