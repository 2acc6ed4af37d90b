"""Interfaces to other tools: one file or folder for each, imported only if the tool is installed."""
