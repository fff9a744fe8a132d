"""The methods of `allowances.*`, one file each."""
