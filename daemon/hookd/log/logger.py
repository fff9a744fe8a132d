"""The daemon's log; `log_file` writes it to disk."""

import logging

LOG = logging.getLogger("hookd")
"""Where everything is logged; what a line is about goes into `extra={"about": {...}}`."""
