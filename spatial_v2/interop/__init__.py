"""The library inside other tools: one file or folder a tool, imported by who has the tool."""
