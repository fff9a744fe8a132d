-- What a policy remembers may go over to the next window of a conversation.

ALTER TABLE policy_state ADD COLUMN lasts INTEGER NOT NULL DEFAULT 0;
CREATE INDEX policy_state_by_age ON policy_state (updated_at);
