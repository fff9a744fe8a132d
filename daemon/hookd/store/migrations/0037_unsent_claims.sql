-- Claims that wait for the central store of a fleet.
CREATE INDEX outbox_claims ON outbox (row_id) WHERE kind = 'claim';
DROP VIEW claim_overview;
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
