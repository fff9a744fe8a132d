"""What tests share, one subject a module: homes with a daemon, stand-ins, tables, payloads.

No tests, and no fixtures: those are in conftest.py.
"""
