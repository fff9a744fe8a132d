"""Context window: texts and files added to a model's context, handovers, usage, dialogue.

Efforts and their skills belong to core/efforts.
"""
