"""The methods of `guards.*`, one file each."""
