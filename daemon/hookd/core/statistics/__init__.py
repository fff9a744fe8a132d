"""Statistics: what of an event is counted, and what the counts suggest."""
