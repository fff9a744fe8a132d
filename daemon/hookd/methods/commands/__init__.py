"""Methods for the user's own hooks: which there are, which are trusted, what they did."""
