"""Mail of agents: addresses, limits, and the frame in which a model reads another's text.

No SQL here: store/writes/mail.py stores it, store/facts/mail.py reads it.
"""
