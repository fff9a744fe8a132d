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
