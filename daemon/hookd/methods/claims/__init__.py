"""The methods of `claims.*`, one file each."""
