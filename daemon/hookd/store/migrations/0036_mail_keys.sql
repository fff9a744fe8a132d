-- A repeated call sends no mail twice.
ALTER TABLE agent_mail ADD COLUMN key TEXT;
CREATE UNIQUE INDEX agent_mail_by_key ON agent_mail (key, coalesce(sender_conversation, ''))
  WHERE key IS NOT NULL;
