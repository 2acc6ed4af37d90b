"""The library inside other tools: one file or folder a tool, imported by those who have it."""
