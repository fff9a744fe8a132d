"""The methods of `fleet.*`, one file each."""
