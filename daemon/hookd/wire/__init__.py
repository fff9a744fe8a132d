"""The tongues, pure: JSON-RPC towards clients, Claude Code's own JSON towards the hook."""
