-- Efforts know where they were started, so that only sessions of the same terminal join them.

ALTER TABLE efforts ADD COLUMN starter_json TEXT;
ALTER TABLE sessions ADD COLUMN client TEXT;
