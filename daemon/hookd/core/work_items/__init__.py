"""Work items: who may take one, what waits for what, and the texts about them.

Tasks and efforts belong to core/efforts: a task is a folder, and never finishes.
"""
