-- Rules of files are stored as they were trusted, beside those that the user set.

ALTER TABLE guards ADD COLUMN layer TEXT;
ALTER TABLE guards ADD COLUMN source TEXT;
ALTER TABLE guards ADD COLUMN loosens INTEGER NOT NULL DEFAULT 0;
DROP INDEX guards_by_name;
CREATE UNIQUE INDEX guards_by_name
  ON guards (name, scope, coalesce(project_id, 0), coalesce(effort_id, 0), coalesce(source, ''));
DROP VIEW guard_overview;

CREATE VIEW guard_overview AS
  -- Every guard rule with where it holds.
  SELECT g.id, g.name, g.scope, p.path AS project, g.effort_id, e.task_dir AS task,
         g.rule_json, g.created_at, g.layer, g.source, g.loosens
  FROM guards g
  LEFT JOIN projects p ON p.id = g.project_id
  LEFT JOIN efforts e ON e.id = g.effort_id;
