"""Helpers of policies: call context, settings layers, stop continuation, rate limits.

Pure, like the policies themselves; no policy is here.
"""
