"""The methods of `caller.*`, one file each."""
