"""The methods of `agents.*`, one file each."""
