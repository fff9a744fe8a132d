-- Work items: work of a project that agents take, with what each waits for.
CREATE TABLE work_items (
  -- One row a work item: work of a project that one agent takes and finishes.
  id           INTEGER PRIMARY KEY,
  project_id   INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  title        TEXT NOT NULL,                      -- redacted
  text         TEXT,                               -- redacted
  state        TEXT NOT NULL DEFAULT 'open'
               CHECK (state IN ('open', 'taken', 'blocked', 'done')),
  wanted       TEXT,                               -- AGENT_ID that alone may take it; NULL: anyone
  conversation TEXT,                               -- its owner, by the client's session id
  session_id   INTEGER REFERENCES sessions(id) ON DELETE SET NULL,  -- the owner's window
  agent        TEXT,                               -- the owner's AGENT_ID
  lease_s      INTEGER NOT NULL DEFAULT 1800,      -- seconds without an event of the owner
  added_by     TEXT NOT NULL,                      -- who added it, as it is shown
  added_conversation TEXT,                         -- that agent's conversation; NULL: no agent
  added_session_id INTEGER REFERENCES sessions(id) ON DELETE SET NULL,
  reason       TEXT,                               -- why it is blocked, or was given back
  result       TEXT,                               -- what its owner says of the finished item
  created_at   TEXT NOT NULL,
  taken_at     TEXT,                               -- when its owner took it
  done_at      TEXT
) STRICT;
CREATE INDEX work_items_unfinished ON work_items (project_id, id) WHERE state <> 'done';
CREATE INDEX work_items_taken ON work_items (conversation) WHERE state = 'taken';
CREATE INDEX work_items_by_session ON work_items (session_id) WHERE session_id IS NOT NULL;
CREATE INDEX work_items_by_adder ON work_items (added_session_id)
  WHERE added_session_id IS NOT NULL;
CREATE INDEX work_items_by_age ON work_items (done_at) WHERE done_at IS NOT NULL;

CREATE TABLE work_dependencies (
  -- One row a work item that another one waits for.
  item_id  INTEGER NOT NULL REFERENCES work_items(id) ON DELETE CASCADE,
  after_id INTEGER NOT NULL REFERENCES work_items(id) ON DELETE CASCADE,  -- to be done before
  PRIMARY KEY (item_id, after_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX work_dependencies_by_after ON work_dependencies (after_id);

CREATE VIEW work_overview AS
  -- Every work item with its owner, what it waits for, and when its lease ends.
  SELECT w.id, w.state, w.title, w.text, p.path AS project, w.agent, w.session_id, w.conversation,
         w.wanted, w.added_by, w.reason, w.result, w.created_at, w.taken_at, w.done_at,
         CASE w.state WHEN 'taken' THEN strftime('%Y-%m-%dT%H:%M:%fZ', max(w.taken_at, coalesce(
           (SELECT max(s.last_event_at) FROM sessions s WHERE s.claude_session_id = w.conversation),
           w.taken_at)), '+' || w.lease_s || ' seconds') END AS lease_until,
         (SELECT json_group_array(d.after_id) FROM work_dependencies d WHERE d.item_id = w.id)
           AS after_json,
         (SELECT json_group_array(d.after_id) FROM work_dependencies d
           JOIN work_items a ON a.id = d.after_id
           WHERE d.item_id = w.id AND a.state <> 'done') AS waits_for_json,
         w.state = 'open' AND NOT EXISTS (SELECT 1 FROM work_dependencies d
           JOIN work_items a ON a.id = d.after_id
           WHERE d.item_id = w.id AND a.state <> 'done') AS ready
  FROM work_items w
  JOIN projects p ON p.id = w.project_id;

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
           AND i.delivered_at IS NULL AND i.offered_at IS NULL AND i.offers < 3) AS mail,
         (SELECT group_concat('#' || w.id || ' ' || w.title, '; ') FROM work_items w
           WHERE w.conversation = s.claude_session_id AND w.state = 'taken') AS work
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
           AND i.delivered_at IS NULL AND i.offered_at IS NULL AND i.offers < 3),
         (SELECT group_concat('#' || w.id || ' ' || w.title, '; ') FROM work_items w
           WHERE w.conversation = s.claude_session_id AND w.state = 'taken')
  FROM sessions s
  LEFT JOIN efforts e ON e.id = s.effort_id
  LEFT JOIN projects p ON p.id = s.project_id
  WHERE s.owner IS NULL AND s.agent_id IS NULL AND s.ended_at IS NULL;
