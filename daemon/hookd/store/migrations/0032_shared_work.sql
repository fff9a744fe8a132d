-- Work items are shared by the worktrees of a repository, and a repeated call adds none twice.
ALTER TABLE work_items ADD COLUMN key TEXT;
CREATE UNIQUE INDEX work_items_by_key ON work_items (key) WHERE key IS NOT NULL;
DELETE FROM own_calls;
CREATE UNIQUE INDEX own_calls_once ON own_calls (conversation, tool_use_id)
  WHERE tool_use_id IS NOT NULL;
DROP VIEW work_overview;
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
