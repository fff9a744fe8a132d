"""All SQL: opening and migrating, reading facts, writing effects."""
