"""The methods of `injections.*`, one file each."""
