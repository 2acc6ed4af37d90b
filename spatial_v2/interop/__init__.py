"""The library inside other tools: one file a tool, imported only by those who have it."""
