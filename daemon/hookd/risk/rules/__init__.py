"""Rules by subject: which commands of which programs are risks, and how severe.

One module per subject, each with a table RULES by program that `hookd.risk.registry` joins. Secrets
are in `hookd.risk.secrets`.
"""
