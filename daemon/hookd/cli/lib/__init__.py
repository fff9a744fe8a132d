"""Helpers that commands share: client, errors, output, arguments, options. No commands."""
