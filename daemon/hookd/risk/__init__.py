"""Risk analysis: what a command line may delete, overwrite, publish or reveal.

Only text is analysed: nothing in here reads files, the clock or the environment, and nothing
decides what to do about a risk; policies do.
"""
