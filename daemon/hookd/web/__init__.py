"""The web server of `hookd web`: a process of its own, read-only beside the daemon.

Pages, access rules and live events; it imports the extra packages of `hookd[web]`.
"""
