"""A fleet of many hosts: what leaves a host, what it accepts, signatures.

Decisions are pure. PostgreSQL belongs to central/, the exchange with it to fleet_sync/.
"""
