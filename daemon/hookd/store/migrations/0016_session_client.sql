-- The list of sessions shows the client and its version.

DROP VIEW session_overview;

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
