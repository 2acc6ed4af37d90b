"""The library inside other tools: one file a tool, each imported only by those who have the tool."""
