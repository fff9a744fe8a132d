"""The methods of `work.*`, one file each."""
