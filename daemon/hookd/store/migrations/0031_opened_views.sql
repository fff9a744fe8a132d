-- Views of files: whether a file tool has opened the file, or only commands.
ALTER TABLE file_views ADD COLUMN opened INTEGER NOT NULL DEFAULT 1;
