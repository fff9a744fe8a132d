"""The methods of `skill.*`, one file each."""
