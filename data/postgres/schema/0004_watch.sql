-- What is watched of a fleet: when a file was checked, what was refused, and who read texts.

ALTER TABLE lcm.sources ADD COLUMN checked_at timestamptz; -- When the doctor last looked at the file.
UPDATE lcm.sources s SET checked_at = (SELECT max(found_at) FROM lcm.findings f WHERE f.source_id = s.source_id);

CREATE INDEX audit_source ON lcm.audit (source_id, action, at);

CREATE OR REPLACE VIEW lcm.source_metrics AS
	SELECT source_id, name, host, kind, schema_level, generation, level, redacted, revision, file_bytes, created_at, synced_at, compared_at, checked_at
	FROM lcm.sources;

-- Who sent each row, and with what program. All rows of a conversation are sent by one sync or continued by a later one, so that this
-- stands once for each conversation, and not in each row.
ALTER TABLE lcm.sync_conversations ADD COLUMN principal text NOT NULL DEFAULT '', ADD COLUMN origin text NOT NULL DEFAULT '', ADD COLUMN sent_at timestamptz NOT NULL DEFAULT now();
ALTER TABLE lcm.sync_tables ADD COLUMN principal text NOT NULL DEFAULT '', ADD COLUMN origin text NOT NULL DEFAULT '', ADD COLUMN sent_at timestamptz NOT NULL DEFAULT now();
UPDATE lcm.sync_conversations g SET principal = s.principal, origin = s.origin FROM lcm.sources s WHERE s.source_id = g.source_id;
UPDATE lcm.sync_tables g SET principal = s.principal, origin = s.origin FROM lcm.sources s WHERE s.source_id = g.source_id;

-- The sender of every row: by source_id and sync_group, and for other_rows without a conversation by table_name.
CREATE VIEW lcm.provenance AS
	SELECT source_id, sync_group, CAST(NULL AS text) AS table_name, principal, origin, sent_at FROM lcm.sync_conversations
	UNION ALL
	SELECT source_id, CAST(NULL AS bigint), table_name, principal, origin, sent_at FROM lcm.sync_tables;

-- What became of orders and how old the replica is, for monitoring.
CREATE VIEW lcm.lag_metrics AS
	SELECT s.source_id, s.name, s.level, s.file_bytes, s.synced_at, s.compared_at, s.checked_at,
		(SELECT count(*) FROM lcm.orders o WHERE o.source_id = s.source_id AND o.state = 'refused') AS refused_orders,
		(SELECT count(*) FROM lcm.orders o WHERE o.source_id = s.source_id AND o.state = 'waiting') AS waiting_orders,
		(SELECT count(*) FROM lcm.audit a WHERE a.source_id = s.source_id AND a.action = 'refused') AS refused_syncs
	FROM lcm.sources s;

-- A role that only reads notes by this function that it read texts: it can't write the table itself, so that it can't claim to be
-- another user of the database. One row stands for the reads of a user in a source during an hour.
CREATE FUNCTION lcm.note_read(source bigint, principal text, origin text, detail jsonb) RETURNS boolean
	LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	source_title text;
BEGIN
	SELECT s.name INTO source_title FROM lcm.sources s WHERE s.source_id = note_read.source;
	IF source_title IS NULL OR EXISTS (
		SELECT 1 FROM lcm.audit a WHERE a.source_id = note_read.source AND a.action = 'read' AND a.database_user = session_user
			AND a.principal = note_read.principal AND a.at > now() - interval '1 hour'
			AND a.detail = note_read.detail) THEN
		RETURN false;
	END IF;
	INSERT INTO lcm.audit (action, source_id, source_name, principal, origin, database_user, detail)
		VALUES ('read', note_read.source, source_title, left(note_read.principal, 200), left(note_read.origin, 200), session_user, note_read.detail);
	RETURN true;
END $$;
REVOKE ALL ON FUNCTION lcm.note_read(bigint, text, text, jsonb) FROM PUBLIC;
