-- The whole state of hookd, for a new database. An older one is led here by migrations/.
-- Times are UTC, ISO-8601 text with milliseconds: 2026-01-31T08:00:00.000Z.
-- Columns that end in _json hold JSON text. Nothing here is stored before secrets are redacted.

CREATE TABLE meta (
  -- One row a fact about this file itself.
  key   TEXT PRIMARY KEY,  -- 'created_at', 'created_by'
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE projects (
  -- One row a root folder in which Claude Code was started.
  id         INTEGER PRIMARY KEY,
  path       TEXT NOT NULL UNIQUE,  -- absolute, symbolic links resolved
  name       TEXT NOT NULL,         -- the last part of the path
  created_at TEXT NOT NULL,
  repository TEXT                   -- the root of its git repository, one for all worktrees
) STRICT;
CREATE INDEX projects_by_repository ON projects (repository);

CREATE TABLE skills (
  -- One row a skill of a project: what its SKILL.md says, parsed.
  id            INTEGER PRIMARY KEY,
  project_id    INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  name          TEXT NOT NULL,
  version       TEXT,
  description   TEXT,
  phases_json   TEXT NOT NULL DEFAULT '[]',
  modes_json    TEXT NOT NULL DEFAULT '{}',
  templates_json TEXT NOT NULL DEFAULT '{}',
  cmd_dependencies_json TEXT NOT NULL DEFAULT '[]',
  next_skills_json TEXT NOT NULL DEFAULT '[]',
  directives_json TEXT NOT NULL DEFAULT '[]',
  updated_at    TEXT NOT NULL,
  path          TEXT NOT NULL DEFAULT '',          -- its SKILL.md
  stamp         TEXT NOT NULL DEFAULT '',          -- changes with the file
  UNIQUE (project_id, name)
) STRICT;

CREATE TABLE tasks (
  -- One row a container of work: a folder. It never finishes; it is active while an effort is.
  task_dir      TEXT PRIMARY KEY,  -- absolute
  project_id    INTEGER REFERENCES projects(id) ON DELETE SET NULL,
  title         TEXT NOT NULL,
  description   TEXT,
  keywords_json TEXT NOT NULL DEFAULT '[]',
  created_at    TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE efforts (
  -- One row an invocation of a skill on a task. It outlives context windows.
  id            INTEGER PRIMARY KEY,
  task_dir      TEXT NOT NULL REFERENCES tasks(task_dir) ON DELETE CASCADE,
  project_id    INTEGER REFERENCES projects(id) ON DELETE SET NULL,
  skill         TEXT NOT NULL,
  mode          TEXT,
  ordinal       INTEGER NOT NULL,                  -- 1, 2, ... within the task
  lifecycle     TEXT NOT NULL DEFAULT 'active' CHECK (lifecycle IN ('active', 'finished')),
  current_phase TEXT,
  discovered_directives_json  TEXT NOT NULL DEFAULT '[]',
  discovered_directories_json TEXT NOT NULL DEFAULT '[]',
  metadata_json TEXT NOT NULL DEFAULT '{}',        -- warnAfter, blockAfter, loading, dehydrating
  created_at    TEXT NOT NULL,
  finished_at   TEXT,
  starter_json  TEXT,                              -- where it was started or resumed last: terminal,
                                                   -- client (PID:START each), tmux pane; NULL: unknown
  UNIQUE (task_dir, ordinal)
) STRICT;
CREATE INDEX efforts_by_project ON efforts (project_id, lifecycle, id);

CREATE TABLE agents (
  -- One row a member of the fleet: whoever runs with this AGENT_ID.
  id          TEXT PRIMARY KEY,
  label       TEXT,
  claims      TEXT,
  targeted_claims TEXT,
  manages     TEXT,
  parent      TEXT,                                -- AGENT_ID of its coordinator
  effort_id   INTEGER REFERENCES efforts(id) ON DELETE SET NULL,  -- the one active effort it owns
  status      TEXT NOT NULL DEFAULT 'idle'
              CHECK (status IN ('error', 'attention', 'working', 'checked', 'idle', 'done')),
  status_event_id INTEGER,                         -- the event that set the status
  status_at   TEXT,
  tmux_pane   TEXT,                                -- such as %3
  tmux_socket TEXT,                                -- of the tmux server that has the pane
  tmux_server INTEGER,                             -- that server's process: the next one numbers anew
  created_at  TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX agents_by_effort ON agents (effort_id) WHERE effort_id IS NOT NULL;

CREATE TABLE sessions (
  -- One row a context window, or a subagent's run. It is never resumed; the next window is a new row.
  id                INTEGER PRIMARY KEY,
  claude_session_id TEXT NOT NULL,                 -- the client's session_id
  agent_id          TEXT,                          -- the client's agent_id: set for subagents only
  agent_type        TEXT,
  parent_session_id INTEGER REFERENCES sessions(id) ON DELETE SET NULL,  -- a subagent's window
  prev_session_id   INTEGER REFERENCES sessions(id) ON DELETE SET NULL,  -- the window before
  project_id        INTEGER REFERENCES projects(id) ON DELETE SET NULL,
  effort_id         INTEGER REFERENCES efforts(id) ON DELETE SET NULL,
  owner             TEXT REFERENCES agents(id) ON DELETE SET NULL,       -- AGENT_ID, if one was set
  source            TEXT NOT NULL,                 -- startup, resume, clear, compact, fork; or 'seen'
  model             TEXT,
  pid               INTEGER,                       -- CLAUDE_PID; information, never a key
  cwd               TEXT,
  transcript_path   TEXT,
  transcript_offset INTEGER NOT NULL DEFAULT 0,    -- bytes of the transcript already taken in
  heartbeat_counter INTEGER NOT NULL DEFAULT 0,    -- tool calls since the last log entry
  last_counted      TEXT,                          -- the last counted call, where repeats count once
  last_heartbeat    TEXT,
  context_usage     REAL,                          -- share of the window in use, 0.0 to 1.0
  context_source    TEXT,                          -- who said so: 'statusline', 'transcript', 'event', 'rpc'
  cost              REAL,                          -- US dollars
  loaded_files_json TEXT NOT NULL DEFAULT '[]',
  preloaded_files_json TEXT NOT NULL DEFAULT '[]', -- files whose content the model was given
  handover_json     TEXT,                          -- what this window left for the next one
  handover_at       TEXT,
  handover_offers   INTEGER NOT NULL DEFAULT 0,    -- how many windows it was offered to
  handover_delivered_at TEXT,                      -- when the last piece of it was delivered
  tool_calls        INTEGER NOT NULL DEFAULT 0,    -- counted tool calls of the window
  touched_dirs_json TEXT NOT NULL DEFAULT '[]',    -- folders looked into for directive files
  own_effort        INTEGER NOT NULL DEFAULT 0,    -- 0: its effort is but the project's latest
  window_tokens     INTEGER,                       -- how many tokens its window holds
  run               TEXT,                          -- HOOKD_RUN: the `hookd run` that it is part of
  process_seen      INTEGER NOT NULL DEFAULT 0,    -- 1: the process of this pid was seen to live here
  added_dirs_json   TEXT NOT NULL DEFAULT '[]',    -- folders that were added beside the project's
  status            TEXT NOT NULL DEFAULT 'idle'   -- of a window; a subagent's is its window's
                    CHECK (status IN ('error', 'attention', 'working', 'checked', 'idle', 'done')),
  status_event_id   INTEGER,                       -- the event that set the status; 0: no event
  status_at         TEXT,
  tmux_pane         TEXT,                          -- where it runs, such as %3
  tmux_socket       TEXT,
  tmux_server       INTEGER,
  branch            TEXT,                          -- the git branch of its folder, or a commit
  first_prompt      TEXT,                          -- the beginning of what the user said first
  created_at        TEXT NOT NULL,
  last_event_at     TEXT NOT NULL,
  ended_at          TEXT,
  end_reason        TEXT,                          -- the client's reason, or 'superseded'
  client_process    TEXT,                          -- the client's process, as PID:START
  client            TEXT,                          -- the client's name, such as claude-code
  client_version    TEXT,                          -- its version; NULL: unknown
  handover_run      TEXT,                          -- the `hookd run` that alone gets the handover
  messaging_socket  TEXT                           -- where other sessions of its client send messages
) STRICT;
CREATE INDEX sessions_by_claude_id ON sessions (claude_session_id, agent_id, id);
CREATE INDEX sessions_by_effort ON sessions (effort_id, ended_at);
CREATE INDEX sessions_open ON sessions (project_id, claude_session_id) WHERE ended_at IS NULL;
CREATE INDEX sessions_by_transcript ON sessions (transcript_path);
CREATE INDEX sessions_by_owner ON sessions (owner, id) WHERE owner IS NOT NULL;
CREATE INDEX sessions_by_run ON sessions (run, id) WHERE run IS NOT NULL;
CREATE INDEX sessions_by_pane ON sessions (tmux_socket, tmux_pane) WHERE tmux_pane IS NOT NULL;
CREATE INDEX sessions_by_parent ON sessions (parent_session_id) WHERE parent_session_id IS NOT NULL;
CREATE INDEX sessions_with_handover ON sessions (effort_id, id) WHERE handover_json IS NOT NULL;
CREATE INDEX sessions_by_handover_run ON sessions (handover_run) WHERE handover_run IS NOT NULL;

CREATE TABLE phase_history (
  -- One row a phase that an effort entered.
  id          INTEGER PRIMARY KEY,
  effort_id   INTEGER NOT NULL REFERENCES efforts(id) ON DELETE CASCADE,
  phase_label TEXT NOT NULL,
  proof_json  TEXT,
  reason      TEXT,                                -- given where phases were not in sequence
  created_at  TEXT NOT NULL
) STRICT;
CREATE INDEX phase_history_by_effort ON phase_history (effort_id, id);

CREATE TABLE messages (
  -- One row a thing said: a prompt, a log entry, an answered question.
  id         INTEGER PRIMARY KEY,
  session_id INTEGER REFERENCES sessions(id) ON DELETE CASCADE,
  effort_id  INTEGER REFERENCES efforts(id) ON DELETE SET NULL,
  role       TEXT NOT NULL,                        -- user, assistant, system, log
  content    TEXT NOT NULL,
  tool_name  TEXT,
  ref        TEXT,                                 -- prompt_id/event or tool_use_id: kept once
  timestamp  TEXT NOT NULL
) STRICT;
CREATE INDEX messages_by_session ON messages (session_id, timestamp);
CREATE INDEX messages_by_effort ON messages (effort_id, id);
CREATE UNIQUE INDEX messages_once ON messages (session_id, role, ref) WHERE ref IS NOT NULL;
CREATE INDEX messages_by_age ON messages (timestamp);

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
  expires_at  TEXT,                                -- NULL: never
  key         TEXT                                 -- of the call that sent it: a repeated one sends nothing
) STRICT;
CREATE UNIQUE INDEX agent_mail_by_key ON agent_mail (key, coalesce(sender_conversation, ''))
  WHERE key IS NOT NULL;
CREATE INDEX agent_mail_to_tasks ON agent_mail (task_dir)
  WHERE state = 'waiting' AND to_kind = 'task';
CREATE INDEX agent_mail_open ON agent_mail (state, expires_at) WHERE state IN ('waiting', 'held');
CREATE INDEX agent_mail_by_age ON agent_mail (created_at);
CREATE INDEX agent_mail_by_sender ON agent_mail (sender_session_id)
  WHERE sender_session_id IS NOT NULL;

CREATE TABLE injections (
  -- One row a text that waits for a model. Offered with an answer, delivered at the window's next event.
  id           INTEGER PRIMARY KEY,
  session_id   INTEGER NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  source       TEXT NOT NULL,                      -- the policy or guard rule it is from
  content      TEXT NOT NULL,
  offers       INTEGER NOT NULL DEFAULT 0,         -- how often it went out with an answer
  created_at   TEXT NOT NULL,
  offered_at   TEXT,                               -- NULL: it waits
  delivered_at TEXT,
  path         TEXT,                               -- the file that it is of, where it is of one
  handover_of  INTEGER REFERENCES sessions(id) ON DELETE SET NULL,  -- who left it as a handover
  offered_by   INTEGER,                            -- the event with whose answer it went out
  mail_id      INTEGER REFERENCES agent_mail(id) ON DELETE CASCADE  -- the mail that it delivers
) STRICT;
CREATE INDEX injections_waiting ON injections (session_id, id)
  WHERE delivered_at IS NULL AND offered_at IS NULL AND offers < 3;
CREATE INDEX injections_offered ON injections (session_id, id)
  WHERE delivered_at IS NULL AND offered_at IS NOT NULL;
CREATE INDEX injections_by_answer ON injections (offered_by) WHERE offered_by IS NOT NULL;
CREATE INDEX injections_by_handover ON injections (session_id, handover_of)
  WHERE handover_of IS NOT NULL;
CREATE INDEX injections_by_age ON injections (created_at);
CREATE UNIQUE INDEX injections_by_mail ON injections (mail_id, session_id)
  WHERE mail_id IS NOT NULL;

CREATE TABLE todos (
  -- One row an item of Claude Code's own task list.
  session_id  INTEGER NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  todo_id     TEXT NOT NULL,
  subject     TEXT NOT NULL,
  description TEXT,
  status      TEXT NOT NULL DEFAULT 'pending',
  updated_at  TEXT NOT NULL,
  PRIMARY KEY (session_id, todo_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE guards (
  -- One row a guard rule: one that the user set, or one of a rules file as it was trusted.
  id         INTEGER PRIMARY KEY,
  name       TEXT NOT NULL,                        -- chosen by the user
  scope      TEXT NOT NULL CHECK (scope IN ('user', 'project', 'effort')),
  project_id INTEGER REFERENCES projects(id) ON DELETE CASCADE,
  effort_id  INTEGER REFERENCES efforts(id) ON DELETE CASCADE,
  rule_json  TEXT NOT NULL,                        -- the rule, as validated when it was set
  created_at TEXT NOT NULL,
  layer      TEXT,                                 -- managed, user, team, project: of its file; fleet
  source     TEXT,                                 -- its rules file; NULL: set by hookd guard
  loosens    INTEGER NOT NULL DEFAULT 0            -- 1: a person confirmed what it spares
) STRICT;
CREATE UNIQUE INDEX guards_by_name
  ON guards (name, scope, coalesce(project_id, 0), coalesce(effort_id, 0), coalesce(source, ''));

CREATE TABLE hook_runs (
  -- One row a run of a user's hook command.
  id          INTEGER PRIMARY KEY,
  event_id    INTEGER NOT NULL,
  hook_id     TEXT NOT NULL,
  exit_code   INTEGER,
  duration_ms REAL,
  decision    TEXT,
  truncated   INTEGER NOT NULL DEFAULT 0,          -- 1 when output was cut
  stderr_excerpt TEXT,                             -- its beginning, redacted
  created_at  TEXT NOT NULL,
  command     TEXT,                                -- as the user wrote it, redacted
  error       TEXT,                                -- why it did not complete; NULL: it did
  background  INTEGER NOT NULL DEFAULT 0,          -- 1: nobody waited for it
  status_message TEXT,
  notes       TEXT                                 -- a line each: what of its answer did not count
) STRICT;
CREATE INDEX hook_runs_by_event ON hook_runs (event_id);
CREATE INDEX hook_runs_by_age ON hook_runs (created_at);

CREATE TABLE events (
  -- One row a hook event received, whatever its name.
  id             INTEGER PRIMARY KEY,              -- the number in an answer's reason: hookd #id
  at             TEXT NOT NULL,
  event          TEXT NOT NULL,                    -- hook_event_name; '' where there was none
  kind           TEXT NOT NULL DEFAULT 'hook',     -- 'hook', or 'canary' for a check by doctor
  session_id     INTEGER,                          -- sessions.id, where one was resolved
  claude_session_id TEXT,
  agent_id       TEXT,
  tool_name      TEXT,
  tool_use_id    TEXT,
  prompt_id      TEXT,
  decision       TEXT,                             -- deny, ask, allow, block; NULL: silence
  decided_by     TEXT,                             -- the policy, guard rule or user hook
  payload        TEXT NOT NULL,                    -- redacted JSON, cut at 8 kB; see bodies
  payload_sha256 TEXT,                             -- of the whole payload, where it was cut
  answer         TEXT,                             -- what the client got; NULL: silence
  result         TEXT,                             -- the rest of the method's result
  delivery_key   TEXT,                             -- identifies the firing: one row for each
  pending        INTEGER NOT NULL DEFAULT 0,       -- 1: the user's own hooks have still to be heard
  facts_json     TEXT,                             -- what mattered, where anything was said
  lost           INTEGER NOT NULL DEFAULT 0,       -- 1: the client had gone before its answer
  repeats        INTEGER NOT NULL DEFAULT 0,       -- deliveries after the first, which got its answer
  repeated_at    TEXT,                             -- when the last of them came
  duration_us    INTEGER,                          -- from the arrival of the whole payload until this
                                                   -- row was written; until the answer was ready if
                                                   -- that took 50 ms more; NULL: not measured
  stages         TEXT,                             -- JSON: microseconds by stage, see event_latency;
                                                   -- 'policy': the slowest, and its microseconds
  resolved_json  TEXT                              -- facts from outside the database, for a replay;
                                                   -- NULL: none were needed, or it is older
) STRICT;
CREATE UNIQUE INDEX events_once ON events (delivery_key) WHERE delivery_key IS NOT NULL;
CREATE INDEX events_by_session ON events (session_id, id);
CREATE INDEX events_canary ON events (id) WHERE kind = 'canary';
CREATE INDEX events_by_age ON events (at);
CREATE INDEX events_decided ON events (id, decision, decided_by, session_id)
  WHERE decision IS NOT NULL AND kind = 'hook';

CREATE TABLE bodies (
  -- One row an event whose payload is cut in events.payload: the whole of it, `hookd why` shows it.
  event_id INTEGER PRIMARY KEY REFERENCES events(id) ON DELETE CASCADE,
  size     INTEGER NOT NULL,                       -- characters of its JSON
  zlib     BLOB NOT NULL                           -- redacted JSON, up to 64 kB, compressed
) STRICT;

CREATE TABLE costs (
  -- One row a day (UTC) and session: what the session has cost on that day.
  day        TEXT NOT NULL,                        -- 2026-01-31
  session_id INTEGER NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  usd        REAL NOT NULL,
  PRIMARY KEY (day, session_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX costs_by_session ON costs (session_id);

CREATE TABLE context_history (
  -- One row a session and a change of its context usage to another percent.
  session_id INTEGER NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  at         TEXT NOT NULL,
  usage      REAL NOT NULL,                        -- share of the window in use, 0.0 to 1.0
  PRIMARY KEY (session_id, at)
) STRICT, WITHOUT ROWID;
CREATE INDEX context_history_by_age ON context_history (at);

CREATE TABLE hourly_events (
  -- One row an hour, project, agent, client, event and decision: how many events were like that.
  hour           TEXT NOT NULL,                    -- 2026-01-31T08, UTC
  project_id     INTEGER NOT NULL,                 -- projects.id; 0: none
  agent          TEXT NOT NULL,                    -- AGENT_ID; '': none
  client         TEXT NOT NULL,                    -- such as claude-code; '': unknown
  event          TEXT NOT NULL,                    -- hook_event_name
  decision       TEXT NOT NULL,                    -- as in events; '': silence
  events         INTEGER NOT NULL,
  granted        INTEGER NOT NULL,                 -- asked about, and then it ran
  injected       INTEGER NOT NULL,                 -- answers with a text for the model
  injected_chars INTEGER NOT NULL,                 -- characters of these texts
  to_250us       INTEGER NOT NULL,                 -- events that took up to 250 microseconds,
  to_500us       INTEGER NOT NULL,                 -- more than that and up to 500, and so on
  to_1ms         INTEGER NOT NULL,
  to_2ms         INTEGER NOT NULL,
  to_5ms         INTEGER NOT NULL,
  to_10ms        INTEGER NOT NULL,
  to_50ms        INTEGER NOT NULL,
  to_250ms       INTEGER NOT NULL,
  to_1s          INTEGER NOT NULL,
  longer         INTEGER NOT NULL,
  PRIMARY KEY (hour, project_id, agent, client, event, decision)
) STRICT, WITHOUT ROWID;

CREATE TABLE hourly_rules (
  -- One row an hour and a rule that had an opinion, with what it said and how often.
  hour           TEXT NOT NULL,
  project_id     INTEGER NOT NULL,
  agent          TEXT NOT NULL,
  client         TEXT NOT NULL,
  event          TEXT NOT NULL,
  rule           TEXT NOT NULL,                    -- a policy, guard rule or user hook
  found          TEXT NOT NULL,                    -- ids of the catalogue's rules, by spaces
  verdict        TEXT NOT NULL,                    -- deny, ask, allow, defer; tell: only a text;
                                                   -- passed: an allow rule let the call pass
  events         INTEGER NOT NULL,
  PRIMARY KEY (hour, project_id, agent, client, event, rule, found, verdict)
) STRICT, WITHOUT ROWID;

CREATE TABLE hourly_asks (
  -- One row an hour, a rule and a call that it asked about, with how often the call then ran.
  hour           TEXT NOT NULL,
  project_id     INTEGER NOT NULL,
  agent          TEXT NOT NULL,
  client         TEXT NOT NULL,
  rule           TEXT NOT NULL,
  found          TEXT NOT NULL,
  call_key       TEXT NOT NULL,                    -- identifies the call; '': no allow rule can
  tool           TEXT NOT NULL,
  call           TEXT NOT NULL,                    -- its beginning, redacted
  asked          INTEGER NOT NULL,
  granted        INTEGER NOT NULL,
  event_id       INTEGER NOT NULL,                 -- the last event that asked
  PRIMARY KEY (hour, project_id, agent, client, rule, found, call_key)
) STRICT, WITHOUT ROWID;

CREATE TABLE counting (
  -- One row an event that counting has not finished with, or could not read.
  event_id    INTEGER NOT NULL,
  at          TEXT NOT NULL,
  state       TEXT NOT NULL                        -- pending, settled: it is not counted yet;
              CHECK (state IN ('pending', 'settled', 'asked', 'damaged')),  -- asked: may be granted
  session_id  INTEGER,
  tool_use_id TEXT,                                -- of an asked call: its result has the same
  keys_json   TEXT,                                -- of an asked call: the rows that count it
  problem     TEXT,                                -- why it could not be read
  PRIMARY KEY (event_id, state)
) STRICT, WITHOUT ROWID;
CREATE INDEX counting_asked ON counting (tool_use_id) WHERE state = 'asked';

CREATE TABLE policy_state (
  -- One row a thing that a policy remembers for a session.
  session_id INTEGER NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  policy     TEXT NOT NULL,
  value_json TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  lasts      INTEGER NOT NULL DEFAULT 0,           -- 1: the conversation's next window gets it
  PRIMARY KEY (session_id, policy)
) STRICT, WITHOUT ROWID;
CREATE INDEX policy_state_by_age ON policy_state (updated_at);

CREATE TABLE unjudged (
  -- One row an event and a reason for which the shim had no verdict, as often as that happened.
  id       INTEGER PRIMARY KEY,
  event    TEXT NOT NULL,
  reason   TEXT NOT NULL,
  count    INTEGER NOT NULL,
  more     INTEGER NOT NULL,  -- 1: the shim's file was full, so there may have been others
  first_at TEXT NOT NULL,
  last_at  TEXT NOT NULL,
  source   TEXT NOT NULL,     -- the shim's file and the place in it: nothing is kept twice
  kept_at  TEXT NOT NULL,
  told_at  TEXT,              -- when an answer told the user
  told_by  INTEGER,           -- the event of that answer
  UNIQUE (source, event, reason)
) STRICT;
CREATE INDEX unjudged_untold ON unjudged (id) WHERE told_at IS NULL;
CREATE INDEX unjudged_by_age ON unjudged (last_at);

CREATE TABLE allowances (
  -- One row a guard and a call that the user lets pass it.
  id         INTEGER PRIMARY KEY,
  guard      TEXT NOT NULL,                        -- the policy
  call       TEXT NOT NULL,                        -- SHA-256 of what identifies the call
  tool       TEXT NOT NULL,
  text       TEXT NOT NULL,                        -- the call as it was shown, redacted
  folder     TEXT,                                 -- where it runs; NULL: anywhere
  event_id   INTEGER NOT NULL,                     -- the event on which the guard held it back
  until      TEXT,                                 -- NULL: always
  created_at TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX allowances_by_call ON allowances (call, guard);
CREATE INDEX allowances_by_age ON allowances (until) WHERE until IS NOT NULL;

CREATE TABLE approvals (
  -- One row a permission request that waited for an answer from outside the client.
  id          INTEGER PRIMARY KEY,
  event_id    INTEGER NOT NULL,                    -- the PermissionRequest
  session_id  INTEGER REFERENCES sessions(id) ON DELETE CASCADE,
  tool        TEXT NOT NULL,
  text        TEXT NOT NULL,                       -- the call in words, redacted
  input_json  TEXT NOT NULL,                       -- the tool's input, redacted, cut at 8 kB
  reason      TEXT,                                -- why a guard asks; NULL: the client itself asks
  risk_json   TEXT,                                -- kind and severity of what a command risks
  diff        TEXT,                                -- what a file tool changes; NULL: another tool
  asked_at    TEXT NOT NULL,
  until       TEXT NOT NULL,                       -- when it is left to the client's dialog
  status      TEXT NOT NULL DEFAULT 'pending'      -- dialog: left to the client's own dialog
              CHECK (status IN ('pending', 'allowed', 'denied', 'dialog', 'expired', 'ended')),
  answered_by TEXT,                                -- user and terminal, or 'web'; NULL: no person
  answered_at TEXT,                                -- when it ended, in whatever way
  message     TEXT                                 -- to the model, or how it ended; redacted
) STRICT;
CREATE INDEX approvals_by_event ON approvals (event_id);
CREATE INDEX approvals_by_session ON approvals (session_id);
CREATE INDEX approvals_by_age ON approvals (asked_at);
CREATE INDEX approvals_pending ON approvals (id) WHERE status = 'pending';

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
  done_at      TEXT,
  key          TEXT                                -- of the call that added it: a repeated one adds nothing
) STRICT;
CREATE UNIQUE INDEX work_items_by_key ON work_items (key) WHERE key IS NOT NULL;
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

CREATE TABLE own_calls (
  -- One row a call of a tool of hookd's MCP server whose server has not asked who makes it.
  id           INTEGER PRIMARY KEY,
  at           TEXT NOT NULL,
  event_id     INTEGER NOT NULL,                   -- its PreToolUse
  session_id   INTEGER NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  conversation TEXT NOT NULL,                      -- the client's session id
  agent_id     TEXT,                               -- the subagent
  tool_use_id  TEXT,
  tool         TEXT NOT NULL,                      -- such as log
  digest       TEXT NOT NULL,                      -- SHA-256 of its input
  used_at      TEXT                                -- when it named its caller
) STRICT;
CREATE UNIQUE INDEX own_calls_once ON own_calls (conversation, tool_use_id)
  WHERE tool_use_id IS NOT NULL;
CREATE INDEX own_calls_by_digest ON own_calls (digest);
CREATE INDEX own_calls_by_session ON own_calls (session_id);
CREATE INDEX own_calls_by_age ON own_calls (at);

CREATE TABLE trusts (
  -- One row a project whose own hooks the user trusts, or a rules file, with exactly this content.
  root       TEXT PRIMARY KEY,                     -- the project, or the rules file; absolute; or
                                                   -- `fleet TENANT vN`, then digest is JSON: names
  digest     TEXT NOT NULL,                        -- SHA-256 of its files of hooks, or of that file
  created_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

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
  opened       INTEGER NOT NULL DEFAULT 1,          -- 0: only commands have read or written it
  PRIMARY KEY (conversation, call, path)
) STRICT, WITHOUT ROWID;
CREATE INDEX file_views_by_session ON file_views (session_id);
CREATE INDEX file_views_by_age ON file_views (at);

CREATE TABLE outbox (
  -- One row a change that waits for the central store of the fleet. Only a joined host has rows.
  -- Events wait in their own table, see unsent_events; those that user hooks delayed, and refused
  -- ones, have a row here.
  seq      INTEGER PRIMARY KEY AUTOINCREMENT,        -- never given again
  kind     TEXT NOT NULL CHECK (kind IN
             ('session', 'event', 'mail', 'claim', 'release', 'forget', 'left')),
  row_id   INTEGER,                                  -- of the session or event
  at       TEXT NOT NULL,
  body     TEXT,                                     -- JSON; NULL: read from the row when it is sent
  rejected TEXT                                      -- why the central store refused it
) STRICT;
CREATE UNIQUE INDEX outbox_sessions ON outbox (row_id) WHERE kind = 'session';
CREATE INDEX outbox_claims ON outbox (row_id) WHERE kind = 'claim';
CREATE INDEX outbox_events ON outbox (row_id) WHERE kind = 'event';
CREATE INDEX outbox_rejected ON outbox (seq) WHERE rejected IS NOT NULL;

CREATE TABLE fleet_membership (
  -- One row at most: the fleet that this host is in, and how sending to it goes.
  id          INTEGER PRIMARY KEY CHECK (id = 1),
  tenant      TEXT NOT NULL,                         -- the team's space in the central store
  host        TEXT NOT NULL,                         -- this host's name there
  mode        TEXT NOT NULL CHECK (mode IN ('status', 'decisions', 'events')),
  accept_json TEXT NOT NULL DEFAULT '[]',            -- kinds of items that may come down
  epoch       TEXT NOT NULL,                         -- of the sequence; a restored database has another
  keys_json   TEXT NOT NULL DEFAULT '[]',            -- public keys of the fleet, pinned
  joined_at   TEXT NOT NULL,
  shipped     INTEGER NOT NULL DEFAULT 0,            -- rows up to this number were sent
  dropped     INTEGER NOT NULL DEFAULT 0,            -- events that retention or a mode gave up unsent
  leaving     INTEGER NOT NULL DEFAULT 0,            -- 1: nothing new is sent
  seen_at     TEXT,                                  -- when the sync process last reported
  contact_at  TEXT,                                  -- when the central store last answered
  problem     TEXT,                                  -- why nothing can be sent
  next_step   TEXT,                                  -- what to do about it
  clock_ms    INTEGER,                               -- this host's clock, ahead of the central store's
  items_after TEXT,                                  -- how far the items were read
  rules_version INTEGER NOT NULL DEFAULT 0,          -- of the fleet's rules
  shipped_events INTEGER NOT NULL DEFAULT 0,         -- events up to this number were sent
  events_after INTEGER NOT NULL DEFAULT 0,           -- only later events are sent, however late they end
  last_event  INTEGER                                -- later events are not sent; NULL: all are
) STRICT;

CREATE TABLE fleet_items (
  -- One row a signed item that came from the central store, so that each counts once.
  id         TEXT PRIMARY KEY,                       -- chosen by its sender
  kind       TEXT NOT NULL,                          -- mail, claim, rules, pause, ...
  sender     TEXT,                                   -- a host; NULL: the fleet's key
  at         TEXT NOT NULL,                          -- when it came
  outcome    TEXT NOT NULL,                          -- applied, ignored, refused
  reason     TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX fleet_items_by_age ON fleet_items (at);

CREATE VIEW windows AS
  -- Every context window, a subagent's too: the rows of sessions under their documented name.
  SELECT * FROM sessions;

CREATE VIEW session_overview AS
  -- Every session with the names of what it belongs to.
  SELECT s.id, s.claude_session_id, s.agent_id, s.agent_type, s.owner AS agent, s.source,
         p.path AS project, s.effort_id, e.skill, e.task_dir AS task, e.current_phase,
         s.heartbeat_counter, s.context_usage, s.context_source, s.cost, s.model, s.client,
         s.client_version, s.pid, s.parent_session_id, s.prev_session_id, s.loaded_files_json,
         s.preloaded_files_json, s.tool_calls, s.window_tokens, s.run, s.transcript_path,
         s.handover_at, s.handover_delivered_at, s.status, s.status_event_id, s.status_at,
         s.branch, s.first_prompt, s.created_at, s.last_event_at, s.ended_at, s.end_reason
  FROM sessions s
  LEFT JOIN projects p ON p.id = s.project_id
  LEFT JOIN efforts e ON e.id = s.effort_id;

CREATE VIEW effort_overview AS
  -- Every effort with its task, its agent and how many windows worked on it.
  SELECT e.id, e.skill, e.mode, e.ordinal, e.lifecycle, e.current_phase, e.task_dir AS task,
         t.title, p.path AS project,
         (SELECT a.id FROM agents a WHERE a.effort_id = e.id ORDER BY a.status_at DESC LIMIT 1)
           AS agent,
         (SELECT count(*) FROM sessions s WHERE s.effort_id = e.id) AS sessions,
         (SELECT max(s.heartbeat_counter) FROM sessions s
           WHERE s.effort_id = e.id AND s.ended_at IS NULL) AS heartbeat_counter,
         e.metadata_json, e.discovered_directives_json, e.created_at, e.finished_at
  FROM efforts e
  JOIN tasks t ON t.task_dir = e.task_dir
  LEFT JOIN projects p ON p.id = e.project_id;

CREATE VIEW active_efforts AS
  -- The efforts that are not finished.
  SELECT * FROM effort_overview WHERE lifecycle = 'active';

CREATE VIEW task_summary AS
  -- Every task with what was done on it.
  SELECT t.task_dir AS task, t.title, p.path AS project,
         count(e.id) AS effort_count,
         sum(e.lifecycle = 'active') AS active_efforts,
         (SELECT x.skill FROM efforts x WHERE x.task_dir = t.task_dir ORDER BY x.id DESC LIMIT 1)
           AS latest_skill,
         max(coalesce(e.finished_at, e.created_at, t.created_at)) AS last_activity
  FROM tasks t
  LEFT JOIN efforts e ON e.task_dir = t.task_dir
  LEFT JOIN projects p ON p.id = t.project_id
  GROUP BY t.task_dir;

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
         (SELECT group_concat(iif(c.kind = 'resource', 'resource:',
             iif(c.root = '/', '/', '')) || c.pattern, ' ')
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
         (SELECT group_concat(iif(c.kind = 'resource', 'resource:',
             iif(c.root = '/', '/', '')) || c.pattern, ' ')
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

CREATE VIEW stale_sessions AS
  -- Open sessions without an event for five minutes.
  SELECT * FROM session_overview
  WHERE ended_at IS NULL
    AND last_event_at < strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-5 minutes');

CREATE VIEW recent_events AS
  -- The last hundred events, newest first.
  SELECT id, at, event, session_id, agent_id, tool_name, decision, decided_by, answer
  FROM events ORDER BY id DESC LIMIT 100;

CREATE VIEW event_overview AS
  -- Every event with whom and what it was about, what was answered, and why.
  SELECT e.id, e.at, e.event, e.kind, e.session_id, e.claude_session_id, s.owner AS agent,
         e.agent_id, s.client, s.client_version, p.path AS project, s.effort_id, e.tool_name,
         e.tool_use_id, e.prompt_id, e.decision, e.decided_by, e.lost, e.repeats, e.repeated_at,
         EXISTS (SELECT 1 FROM hook_runs r WHERE r.event_id = e.id AND NOT r.background
                 AND r.error LIKE 'timed out%') AS timed_out,
         e.facts_json, e.answer AS answer_json, e.payload AS payload_json, e.payload_sha256,
         e.duration_us, e.stages AS stages_json, e.resolved_json
  FROM events e
  LEFT JOIN sessions s ON s.id = e.session_id
  LEFT JOIN projects p ON p.id = s.project_id;

CREATE VIEW event_latency AS
  -- Every measured event, newest first, with the microseconds of each stage; NULL: it had none.
  SELECT id, at, event, tool_name, session_id, claude_session_id, decision, duration_us,
         json_extract(stages, '$.parse') AS parse_us,            -- JSON to a typed event
         json_extract(stages, '$.redact') AS redact_us,          -- secrets removed
         json_extract(stages, '$.settings') AS settings_us,      -- the project's own settings
         json_extract(stages, '$.order') AS order_us,            -- wait for an earlier event
         json_extract(stages, '$.wait') AS wait_us,              -- wait for the database
         json_extract(stages, '$.facts') AS facts_us,            -- rows read
         json_extract(stages, '$.policies') AS policies_us,      -- handler and policies
         json_extract(stages, '$.files') AS files_us,            -- files read for policies
         json_extract(stages, '$.write') AS write_us,            -- effects stored, answer made
         json_extract(stages, '$.commit') AS commit_us,          -- if it was late, or hooks ran
         json_extract(stages, '$.effects') AS effects_us,        -- effects after the commit
         json_extract(stages, '$.user_hooks') AS user_hooks_us,  -- the user's own hooks
         json_extract(stages, '$.policy[0]') AS policy,          -- the slowest one
         json_extract(stages, '$.policy[1]') AS policy_us
  FROM events WHERE duration_us IS NOT NULL ORDER BY id DESC;

CREATE VIEW recent_latency AS
  -- The measured ones of the last 20,000 events.
  SELECT * FROM event_latency WHERE id > (SELECT max(id) FROM events) - 20000;

CREATE VIEW latency_overview AS
  -- Percentiles of the last 20,000 events, by event and tool.
  SELECT event, tool_name, count(*) AS events,
         max(iif(place <= 0.5 * (among + 1), duration_us, 0)) AS p50_us,
         max(iif(place <= 0.95 * (among + 1), duration_us, 0)) AS p95_us,
         max(iif(place <= 0.99 * (among + 1), duration_us, 0)) AS p99_us,
         max(duration_us) AS longest_us
  FROM (SELECT event, tool_name, duration_us,
               row_number() OVER (PARTITION BY event, tool_name ORDER BY duration_us) AS place,
               count(*) OVER (PARTITION BY event, tool_name) AS among
        FROM events
        WHERE id > (SELECT max(id) FROM events) - 20000 AND duration_us IS NOT NULL)
  GROUP BY event, tool_name;

CREATE VIEW message_overview AS
  -- Everything said, with the window and the work it was said in.
  SELECT m.id, m.timestamp, m.role, m.tool_name, m.content, m.ref, m.session_id,
         s.claude_session_id, s.owner AS agent, m.effort_id, e.skill, e.task_dir AS task
  FROM messages m
  LEFT JOIN sessions s ON s.id = m.session_id
  LEFT JOIN efforts e ON e.id = m.effort_id;

CREATE VIEW handover_overview AS
  -- Every handover, with the window that left it and whether another has taken it.
  SELECT s.id AS session_id, s.claude_session_id, s.owner AS agent, s.project_id,
         p.path AS project, s.effort_id, e.skill, e.task_dir AS task, s.handover_at,
         s.handover_offers, s.handover_delivered_at, s.ended_at, s.handover_json, s.client
  FROM sessions s
  LEFT JOIN projects p ON p.id = s.project_id
  LEFT JOIN efforts e ON e.id = s.effort_id
  WHERE s.handover_json IS NOT NULL;

CREATE VIEW allowance_overview AS
  -- Every call that may pass a guard now.
  SELECT id, event_id, guard, tool, text, folder, until, created_at
  FROM allowances WHERE until IS NULL OR until > strftime('%Y-%m-%dT%H:%M:%fZ', 'now');

CREATE VIEW phase_overview AS
  -- Every phase that an effort entered, with the proof of the phase it left.
  SELECT h.id, h.effort_id, e.skill, e.task_dir AS task, h.phase_label AS phase, h.proof_json,
         h.reason, h.created_at
  FROM phase_history h
  JOIN efforts e ON e.id = h.effort_id;

CREATE VIEW injection_overview AS
  -- Every text that waited for a model, and what became of it.
  SELECT i.id, i.session_id, s.claude_session_id, s.owner AS agent, i.source, i.path,
         i.handover_of, i.offers,
         CASE WHEN i.delivered_at IS NOT NULL THEN 'delivered'
              WHEN i.offered_at IS NOT NULL THEN 'offered'
              WHEN i.offers > 2 THEN 'abandoned' ELSE 'waiting' END AS state,
         i.content, i.created_at, i.offered_at, i.delivered_at
  FROM injections i
  JOIN sessions s ON s.id = i.session_id;

CREATE VIEW skill_overview AS
  -- Every skill that was read, with its project.
  SELECT k.id, k.name, p.path AS project, k.version, k.description, k.phases_json, k.modes_json,
         k.templates_json, k.cmd_dependencies_json, k.next_skills_json, k.directives_json, k.path,
         k.updated_at
  FROM skills k
  JOIN projects p ON p.id = k.project_id;

CREATE VIEW hook_run_overview AS
  -- Every run of a user's hook, with the event that it ran on.
  SELECT r.id, r.created_at AS at, r.event_id, e.event, e.claude_session_id, r.hook_id,
         r.command, r.exit_code, r.duration_ms, r.decision, r.error, r.truncated, r.background,
         r.stderr_excerpt, r.status_message, r.notes
  FROM hook_runs r
  LEFT JOIN events e ON e.id = r.event_id;

CREATE VIEW guard_overview AS
  -- Every guard rule with where it holds.
  SELECT g.id, g.name, g.scope, p.path AS project, g.effort_id, e.task_dir AS task,
         g.rule_json, g.created_at, g.layer, g.source, g.loosens
  FROM guards g
  LEFT JOIN projects p ON p.id = g.project_id
  LEFT JOIN efforts e ON e.id = g.effort_id;

CREATE VIEW event_counts AS
  -- The events of each hour, counted; deleted events are still in it.
  SELECT h.hour, p.path AS project, h.agent, h.client, h.event, h.decision, h.events, h.granted,
         h.injected, h.injected_chars, h.to_250us, h.to_500us, h.to_1ms, h.to_2ms, h.to_5ms,
         h.to_10ms, h.to_50ms, h.to_250ms, h.to_1s, h.longer
  FROM hourly_events h
  LEFT JOIN projects p ON p.id = h.project_id;

CREATE VIEW rule_counts AS
  -- The opinions of each hour, counted by rule.
  SELECT h.hour, p.path AS project, h.agent, h.client, h.event, h.rule, h.found, h.verdict, h.events
  FROM hourly_rules h
  LEFT JOIN projects p ON p.id = h.project_id;

CREATE VIEW ask_counts AS
  -- The calls of each hour that were asked about, and how often they then ran.
  SELECT h.hour, p.path AS project, h.agent, h.client, h.rule, h.found, h.tool, h.call, h.asked,
         h.granted, h.event_id
  FROM hourly_asks h
  LEFT JOIN projects p ON p.id = h.project_id;

CREATE VIEW cost_overview AS
  -- What each session has cost on each day, with its project and agent.
  SELECT c.day, c.session_id, p.path AS project, s.owner AS agent, c.usd
  FROM costs c
  JOIN sessions s ON s.id = c.session_id
  LEFT JOIN projects p ON p.id = s.project_id;

CREATE VIEW approval_overview AS
  -- Every permission request that waited for an answer, with its session, agent and project.
  SELECT a.id, a.event_id, a.session_id, s.claude_session_id, s.owner AS agent, p.path AS project,
         a.tool, a.text, a.input_json, a.reason, a.risk_json, a.diff, a.asked_at, a.until,
         a.status, a.answered_by, a.answered_at, a.message
  FROM approvals a
  LEFT JOIN sessions s ON s.id = a.session_id
  LEFT JOIN projects p ON p.id = s.project_id;

CREATE VIEW claim_overview AS
  -- Every claim with its holder; state: open, expired or ended; unsent: no other host knows of it.
  SELECT c.id, p.path AS project, c.root, c.kind, c.pattern,
         CASE WHEN c.conversation = '' THEN 'person' ELSE 'agent' END AS holder_kind,
         c.agent, c.session_id, c.conversation AS claude_session_id, s.client, c.why, c.automatic,
         CASE WHEN c.released_at IS NOT NULL THEN 'ended'
              WHEN c.expires_at <= strftime('%Y-%m-%dT%H:%M:%fZ', 'now') THEN 'expired'
              ELSE 'open' END AS state,
         c.created_at, c.expires_at, c.released_at, c.released_by,
         EXISTS (SELECT 1 FROM outbox o WHERE o.kind = 'claim' AND o.row_id = c.id) AS unsent
  FROM claims c
  LEFT JOIN sessions s ON s.id = c.session_id
  LEFT JOIN projects p ON p.id = c.project_id;
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
           WHERE d.item_id = w.id AND a.state <> 'done') AS ready,
         p.repository
  FROM work_items w
  JOIN projects p ON p.id = w.project_id;

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

CREATE VIEW unsent_events AS
  -- Every event that waits for the central store in its own table.
  SELECT e.* FROM events e
  WHERE e.id > (SELECT shipped_events FROM fleet_membership)
    AND e.id <= (SELECT coalesce(last_event, 9223372036854775807) FROM fleet_membership)
    AND e.pending = 0 AND e.kind IN ('hook', 'canary')
    AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.kind = 'event' AND o.row_id = e.id);

CREATE VIEW fleet_member AS
  -- The fleet that this host is in, and what waits for it.
  -- More than 100,000 rows of the outbox count as those; 10,000 events and more by their numbers.
  SELECT m.id, m.tenant, m.host, m.mode, m.accept_json, m.epoch, m.joined_at, m.shipped,
         m.shipped_events, m.dropped, m.leaving, m.seen_at, m.contact_at, m.problem, m.next_step,
         m.clock_ms,
         (SELECT count(*) FROM (SELECT 1 FROM outbox WHERE seq > m.shipped AND rejected IS NULL
           LIMIT 100000))
         + (SELECT iif(count(*) < 10000, count(*), coalesce(m.last_event,
           (SELECT max(id) FROM events)) - m.shipped_events)
           FROM (SELECT 1 FROM unsent_events LIMIT 10000)) AS waiting,
         (SELECT count(*) FROM outbox WHERE rejected IS NOT NULL) AS rejected,
         (SELECT min(at) FROM (SELECT at FROM (SELECT at FROM outbox ORDER BY seq LIMIT 1)
           UNION ALL SELECT at FROM (SELECT at FROM unsent_events ORDER BY id LIMIT 1)))
           AS oldest_at
  FROM fleet_membership m;

CREATE VIEW outbox_overview AS
  -- Every row that waits for the central store; state: waiting or rejected.
  -- Of events that wait, the oldest 100,000.
  SELECT o.seq AS id, o.kind, o.row_id, o.at, o.body, o.rejected AS reason,
         iif(o.rejected IS NULL, 'waiting', 'rejected') AS state
  FROM outbox o
  WHERE o.rejected IS NOT NULL OR o.seq > (SELECT shipped FROM fleet_membership)
  UNION ALL
  SELECT * FROM (SELECT u.id, 'event', u.id, u.at, NULL, NULL, 'waiting' FROM unsent_events u
    ORDER BY u.id LIMIT 100000);

PRAGMA user_version = 39;
