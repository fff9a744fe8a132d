"""Checks of `hookd doctor`, one subject a module. Nothing here changes anything."""
