"""Events, tool calls and results, transcripts: what policies and core see of a client."""
