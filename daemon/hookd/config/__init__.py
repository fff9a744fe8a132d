"""Settings: their models, loading, editing, and the text of validation errors.

The options of a policy belong to the policy's file, not here.
"""
