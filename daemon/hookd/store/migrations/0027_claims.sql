-- Claims of files, globs and resources, and the states of files that conversations have seen.
ALTER TABLE projects ADD COLUMN repository TEXT;
UPDATE projects SET repository = path;
CREATE INDEX projects_by_repository ON projects (repository);
DROP INDEX sessions_open;
CREATE INDEX sessions_open ON sessions (project_id, claude_session_id) WHERE ended_at IS NULL;
CREATE TABLE claims (
  -- One row a claim: a file, glob or named resource that others are not to change meanwhile.
  id           INTEGER PRIMARY KEY,
  project_id   INTEGER REFERENCES projects(id) ON DELETE SET NULL,
  root         TEXT NOT NULL,                       -- of the repository, one for its worktrees; or /
  kind         TEXT NOT NULL CHECK (kind IN ('path', 'glob', 'resource')),
  pattern      TEXT NOT NULL,                       -- relative to the root, or the resource's name
  conversation TEXT NOT NULL,                       -- the holder: its client's id; '': a person
  session_id   INTEGER REFERENCES sessions(id) ON DELETE SET NULL,
  agent        TEXT,                                -- the holder's AGENT_ID, or the person's name
  why          TEXT,                                -- redacted
  automatic    INTEGER NOT NULL DEFAULT 0,          -- 1: of a file that the holder edits
  created_at   TEXT NOT NULL,
  expires_at   TEXT,                                -- NULL: with the holder's session
  released_at  TEXT,                                -- NULL: it was not ended, but may have expired
  released_by  TEXT                                 -- holder, person, session, time
) STRICT;
CREATE INDEX claims_open ON claims (root, kind, pattern) WHERE released_at IS NULL;
CREATE INDEX claims_held ON claims (conversation) WHERE released_at IS NULL;
CREATE INDEX claims_explicit ON claims (conversation) WHERE released_at IS NULL AND automatic = 0;
CREATE INDEX claims_by_session ON claims (session_id) WHERE session_id IS NOT NULL;
CREATE INDEX claims_by_age ON claims (released_at) WHERE released_at IS NOT NULL;

CREATE TABLE file_views (
  -- One row a file as a conversation has last read or written it, while others were in the project.
  conversation TEXT NOT NULL,
  call         TEXT NOT NULL,                       -- '': it was; else the call that reads it now
  path         TEXT NOT NULL,                       -- real
  session_id   INTEGER NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  size         INTEGER NOT NULL,
  mtime_ns     INTEGER NOT NULL,
  inode        INTEGER NOT NULL,
  sha256       TEXT,                                -- of up to 1 MB; NULL: longer, or not yet known
  at           TEXT NOT NULL,
  PRIMARY KEY (conversation, call, path)
) STRICT, WITHOUT ROWID;
CREATE INDEX file_views_by_session ON file_views (session_id);
CREATE INDEX file_views_by_age ON file_views (at);
CREATE VIEW claim_overview AS
  -- Every claim with its holder; state: open, expired or ended.
  SELECT c.id, p.path AS project, c.root, c.kind, c.pattern,
         CASE WHEN c.conversation = '' THEN 'person' ELSE 'agent' END AS holder_kind,
         c.agent, c.session_id, c.conversation AS claude_session_id, s.client, c.why, c.automatic,
         CASE WHEN c.released_at IS NOT NULL THEN 'ended'
              WHEN c.expires_at <= strftime('%Y-%m-%dT%H:%M:%fZ', 'now') THEN 'expired'
              ELSE 'open' END AS state,
         c.created_at, c.expires_at, c.released_at, c.released_by
  FROM claims c
  LEFT JOIN sessions s ON s.id = c.session_id
  LEFT JOIN projects p ON p.id = c.project_id;
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
             OR c.expires_at > strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))) AS claims
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
             OR c.expires_at > strftime('%Y-%m-%dT%H:%M:%fZ', 'now')))
  FROM sessions s
  LEFT JOIN efforts e ON e.id = s.effort_id
  LEFT JOIN projects p ON p.id = s.project_id
  WHERE s.owner IS NULL AND s.agent_id IS NULL AND s.ended_at IS NULL;
