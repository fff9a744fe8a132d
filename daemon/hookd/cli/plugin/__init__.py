"""The Claude Code plugin: the scope folder that its hooks run."""
