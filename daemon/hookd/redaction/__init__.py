"""Redaction: replace secrets in every text that is stored or logged.

Pure text to text: no files and no settings.
"""
