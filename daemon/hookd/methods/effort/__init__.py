"""The methods of `effort.*`, one file each."""
