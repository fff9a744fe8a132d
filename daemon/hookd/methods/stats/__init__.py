"""The methods of `stats.*`, one file each."""
