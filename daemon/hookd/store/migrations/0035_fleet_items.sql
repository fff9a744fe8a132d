-- Signed items of a fleet: how far they were read, and the version of its rules.
ALTER TABLE fleet_membership ADD COLUMN items_after TEXT;
ALTER TABLE fleet_membership ADD COLUMN rules_version INTEGER NOT NULL DEFAULT 0;
