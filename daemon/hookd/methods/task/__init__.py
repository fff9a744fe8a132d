"""The methods of `task.*`, one file each."""
