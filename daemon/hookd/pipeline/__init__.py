"""One hook event from payload to answer: identify, load facts, evaluate, commit, user hooks."""
