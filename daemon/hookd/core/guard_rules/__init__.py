"""Guard rules that users set: their schema, when they fire, and the texts of their opinions.

Built-in guards are policies; the risk of a command is in the package risk.
"""
