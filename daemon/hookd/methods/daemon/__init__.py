"""The methods of `daemon.*`, one file each."""
