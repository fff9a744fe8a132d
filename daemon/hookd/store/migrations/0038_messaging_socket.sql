-- A session can be woken by a message of its client's own.
ALTER TABLE sessions ADD COLUMN messaging_socket TEXT;
