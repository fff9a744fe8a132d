-- Mail of agents to each other.
CREATE TABLE agent_mail (
  -- One row a mail: a text of an agent, a person, a script or hookd, to agents or to a person.
  id          INTEGER PRIMARY KEY,
  thread_id   INTEGER NOT NULL,                    -- the first mail of the thread
  reply_to    INTEGER,                             -- the mail that it answers
  sender_session_id INTEGER REFERENCES sessions(id) ON DELETE SET NULL,
  sender_conversation TEXT,                        -- the client's session_id of the sender
  sender      TEXT NOT NULL,                       -- the name as it is shown
  sender_kind TEXT NOT NULL CHECK (sender_kind IN ('person', 'script', 'agent', 'hookd')),
  origin      TEXT NOT NULL DEFAULT '',            -- where the sender runs, as frames say it
  to_kind     TEXT NOT NULL CHECK (to_kind IN ('agent', 'session', 'task', 'all', 'person')),
  recipient   TEXT NOT NULL,                       -- the address as it is shown
  conversations_json TEXT NOT NULL DEFAULT '[]',   -- the client's session_ids it is addressed to
  project_id  INTEGER REFERENCES projects(id) ON DELETE SET NULL,  -- the sender's
  task_dir    TEXT,                                -- of mail to a task
  text        TEXT NOT NULL,                       -- redacted
  framed      TEXT NOT NULL,                       -- as a model reads it, 2 kB at most
  priority    TEXT NOT NULL DEFAULT 'normal' CHECK (priority IN ('low', 'normal', 'high')),
  channel     TEXT NOT NULL DEFAULT 'hookd' CHECK (channel IN ('hookd', 'claude-code')),
  state       TEXT NOT NULL DEFAULT 'waiting'      -- waiting: its injections say who has got it;
              CHECK (state IN ('waiting', 'held', 'dropped', 'expired', 'delivered', 'sent')),
  reason      TEXT,                                -- why it is held; sent: recorded only
  created_at  TEXT NOT NULL,
  expires_at  TEXT                                 -- NULL: never
) STRICT;
CREATE INDEX agent_mail_to_tasks ON agent_mail (task_dir)
  WHERE state = 'waiting' AND to_kind = 'task';
CREATE INDEX agent_mail_open ON agent_mail (state, expires_at) WHERE state IN ('waiting', 'held');
CREATE INDEX agent_mail_by_age ON agent_mail (created_at);
CREATE INDEX agent_mail_by_sender ON agent_mail (sender_session_id)
  WHERE sender_session_id IS NOT NULL;

ALTER TABLE injections ADD COLUMN mail_id INTEGER REFERENCES agent_mail(id) ON DELETE CASCADE;
CREATE UNIQUE INDEX injections_by_mail ON injections (mail_id, session_id)
  WHERE mail_id IS NOT NULL;
CREATE VIEW mail_overview AS
  -- Every mail with its thread, its sender and recipients, and whether it was delivered.
  SELECT m.id, m.thread_id, m.reply_to, m.sender, m.sender_kind, m.sender_session_id,
         m.sender_conversation, s.client AS sender_client, m.to_kind, m.recipient,
         m.conversations_json, p.path AS project, m.task_dir AS task, m.text, m.framed,
         m.priority, m.channel,
         CASE WHEN m.state = 'waiting' AND m.to_kind <> 'person'
              AND EXISTS (SELECT 1 FROM injections i WHERE i.mail_id = m.id)
              AND NOT EXISTS (SELECT 1 FROM injections i
                WHERE i.mail_id = m.id AND i.delivered_at IS NULL)
              THEN 'delivered' ELSE m.state END AS state,
         (SELECT count(*) FROM injections i WHERE i.mail_id = m.id) AS recipients,
         (SELECT count(i.delivered_at) FROM injections i WHERE i.mail_id = m.id) AS delivered,
         (SELECT max(i.delivered_at) FROM injections i WHERE i.mail_id = m.id) AS delivered_at,
         m.reason, m.created_at, m.expires_at
  FROM agent_mail m
  LEFT JOIN sessions s ON s.id = m.sender_session_id
  LEFT JOIN projects p ON p.id = m.project_id;

DROP VIEW fleet_status;
CREATE VIEW fleet_status AS
  -- Who is doing what: every agent, and every open window that has no AGENT_ID.
  SELECT a.id AS agent, a.label, a.status, e.skill, e.current_phase,
         s.heartbeat_counter, s.context_usage, s.cost, s.id AS session_id,
         coalesce(s.last_event_at, a.status_at, a.created_at) AS last_seen,
         e.task_dir AS task, p.path AS project, s.context_source, a.status_at, a.parent,
         a.manages, a.tmux_socket, a.tmux_pane, a.tmux_server, 'agent' AS kind,
         s.branch, s.first_prompt,
         a.status IN ('idle', 'done', 'checked')
           AND max(coalesce(s.last_event_at, a.created_at), coalesce(a.status_at, a.created_at))
           < strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-5 minutes') AS quiet,
         s.client, s.client_version,
         (SELECT group_concat(iif(c.kind = 'resource', 'resource:', '') || c.pattern, ' ')
           FROM claims c WHERE c.conversation = s.claude_session_id AND c.released_at IS NULL
           AND c.automatic = 0 AND (c.expires_at IS NULL
             OR c.expires_at > strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))) AS claims,
         (SELECT count(*) FROM injections i WHERE i.session_id = s.id AND i.mail_id IS NOT NULL
           AND i.delivered_at IS NULL AND i.offered_at IS NULL AND i.offers < 3) AS mail
  FROM agents a
  LEFT JOIN efforts e ON e.id = a.effort_id AND e.lifecycle = 'active'
  LEFT JOIN sessions s ON s.id = (
    SELECT max(x.id) FROM sessions x WHERE x.owner = a.id AND x.agent_id IS NULL)
  LEFT JOIN projects p ON p.id = coalesce(s.project_id, e.project_id)
  UNION ALL
  SELECT 'session ' || s.id, substr(s.claude_session_id, 1, 8), s.status,
         e.skill, e.current_phase, s.heartbeat_counter, s.context_usage, s.cost, s.id,
         s.last_event_at, e.task_dir, p.path, s.context_source, s.status_at, NULL, NULL,
         s.tmux_socket, s.tmux_pane, s.tmux_server, 'session', s.branch, s.first_prompt,
         s.status IN ('idle', 'done', 'checked')
           AND s.last_event_at < strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-5 minutes'),
         s.client, s.client_version,
         (SELECT group_concat(iif(c.kind = 'resource', 'resource:', '') || c.pattern, ' ')
           FROM claims c WHERE c.conversation = s.claude_session_id AND c.released_at IS NULL
           AND c.automatic = 0 AND (c.expires_at IS NULL
             OR c.expires_at > strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))),
         (SELECT count(*) FROM injections i WHERE i.session_id = s.id AND i.mail_id IS NOT NULL
           AND i.delivered_at IS NULL AND i.offered_at IS NULL AND i.offers < 3)
  FROM sessions s
  LEFT JOIN efforts e ON e.id = s.effort_id
  LEFT JOIN projects p ON p.id = s.project_id
  WHERE s.owner IS NULL AND s.agent_id IS NULL AND s.ended_at IS NULL;
