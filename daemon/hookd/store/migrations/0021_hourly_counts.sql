-- Counts per hour of events, rules and questions, which stay when events are deleted. The daemon counts
-- the events that are there already in small steps.

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
