"""The methods of `loop.*`, one file each."""
