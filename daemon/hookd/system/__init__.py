"""All reading and writing of files for methods and policies."""
