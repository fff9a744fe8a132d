"""The methods of `session.*`, one file each."""
