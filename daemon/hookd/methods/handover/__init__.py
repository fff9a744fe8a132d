"""The methods of `handover.*`, one file each."""
