"""Claims: what a conversation holds, who may not change it meanwhile, and stale views of files.

Values in, values out: rows are read in store/facts/claims.py, written in store/writes/claims.py.
"""
