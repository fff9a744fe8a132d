-- How long each event took, and in which stage.

ALTER TABLE events ADD COLUMN duration_us INTEGER;
ALTER TABLE events ADD COLUMN stages TEXT;
DROP VIEW event_overview;

CREATE VIEW event_overview AS
  -- Every event with whom and what it was about, what was answered, and why.
  SELECT e.id, e.at, e.event, e.kind, e.session_id, e.claude_session_id, s.owner AS agent,
         e.agent_id, p.path AS project, s.effort_id, e.tool_name, e.tool_use_id, e.prompt_id,
         e.decision, e.decided_by, e.lost, e.repeats, e.repeated_at,
         EXISTS (SELECT 1 FROM hook_runs r WHERE r.event_id = e.id AND NOT r.background
                 AND r.error LIKE 'timed out%') AS timed_out,
         e.facts_json, e.answer AS answer_json, e.payload AS payload_json, e.payload_sha256,
         e.duration_us, e.stages AS stages_json
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
