"""Events: the internal model of hook events, tool calls and results, transcripts.

The JSON of a client's answers and its registration belong to clients.
"""
