"""The methods that serve hook events, one file each."""
