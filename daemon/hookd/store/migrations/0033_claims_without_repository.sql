-- Claims of files outside of a repository are shown by their absolute paths.
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
