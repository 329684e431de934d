-- Which conversations of a file are sent, and whether what its host deletes is kept.

ALTER TABLE lcm.sources
	ADD COLUMN filter text NOT NULL DEFAULT '',               -- JSON; empty where all conversations are sent.
	ADD COLUMN keeps_deleted boolean NOT NULL DEFAULT false,  -- Rows that the file doesn't have any more go to another source.
	ADD COLUMN deleted_of bigint;                             -- This is that other source, of the source with this number.
CREATE INDEX sources_deleted_of ON lcm.sources (deleted_of) WHERE deleted_of IS NOT NULL;

-- A source of deleted rows lags behind nothing.
CREATE OR REPLACE VIEW lcm.lag_metrics AS
	SELECT s.source_id, s.name, s.level, s.file_bytes, s.synced_at, s.compared_at, s.checked_at,
		(SELECT count(*) FROM lcm.orders o WHERE o.source_id = s.source_id AND o.state = 'refused') AS refused_orders,
		(SELECT count(*) FROM lcm.orders o WHERE o.source_id = s.source_id AND o.state = 'waiting') AS waiting_orders,
		(SELECT count(*) FROM lcm.audit a WHERE a.source_id = s.source_id AND a.action = 'refused') AS refused_syncs
	FROM lcm.sources s WHERE s.deleted_of IS NULL;
