CREATE TABLE lcm_migration_state (
  step_name TEXT NOT NULL,
  algorithm_version INTEGER NOT NULL,
  completed_at TEXT NOT NULL DEFAULT (datetime('now')),
  PRIMARY KEY (step_name, algorithm_version)
);
INSERT INTO lcm_migration_state VALUES ('backfillSummaryDepths', 1, '2026-01-05 09:00:00');
INSERT INTO lcm_migration_state VALUES ('backfillSummaryMetadata', 1, '2026-01-05 09:00:00');
INSERT INTO lcm_migration_state VALUES ('backfillToolCallColumns', 1, '2026-01-05 09:00:00');
