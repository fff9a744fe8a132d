"""The methods of `messages.*`, one file each."""
