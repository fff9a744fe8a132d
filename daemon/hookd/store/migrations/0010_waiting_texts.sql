-- Texts that wait in a window are found by their own indexes, however many there are.

DROP INDEX injections_waiting;
CREATE INDEX injections_waiting ON injections (session_id, id)
  WHERE delivered_at IS NULL AND offered_at IS NULL AND offers < 3;
CREATE INDEX injections_offered ON injections (session_id, id)
  WHERE delivered_at IS NULL AND offered_at IS NOT NULL;
CREATE INDEX injections_by_answer ON injections (offered_by) WHERE offered_by IS NOT NULL;
CREATE INDEX injections_by_handover ON injections (session_id, handover_of)
  WHERE handover_of IS NOT NULL;
