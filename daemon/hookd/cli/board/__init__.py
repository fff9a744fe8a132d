"""`hookd board`: the full-screen terminal board. Only this package imports textual."""
