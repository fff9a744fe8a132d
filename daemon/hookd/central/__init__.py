"""The central store of a fleet: all SQL for PostgreSQL, its schema, roles and migrations.

Values in, values out; what is sent and what is accepted is decided in core/fleet. No SQLite here.
"""
