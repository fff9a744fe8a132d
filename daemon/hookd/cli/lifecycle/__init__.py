"""Commands for the daemon's process: start, stop, status, logs, pause, run, rpc, demo."""
