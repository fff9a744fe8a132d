"""The methods of `events.*`, one file each."""
