"""The command of the browser page. The server itself is in `hookd.web`."""
