"""Rules by subject: what commands of these programs destroy or publish."""
