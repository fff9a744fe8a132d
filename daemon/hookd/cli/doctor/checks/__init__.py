"""What `hookd doctor` looks at, one topic a file. Nothing here changes anything."""
