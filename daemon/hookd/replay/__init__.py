"""Replay: recorded events, evaluated again with today's rules and with a change, and compared.

It uses the pipeline's own evaluation on databases in memory, one for each side. It must not read
the files that an event names, start a process, run a user hook, or write to hookd's database.
"""
