"""The methods of `mcp.*`, one file each."""
