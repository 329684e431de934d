-- What each role may do. It is run after every migration, and changes nothing the second time.
GRANT USAGE ON SCHEMA lcm TO lcm_sync, lcm_read, lcm_metrics;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA lcm TO lcm_sync;
REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON lcm.audit FROM lcm_sync, lcm_read;
REVOKE INSERT, UPDATE, DELETE ON lcm.schema_version FROM lcm_sync;
REVOKE DELETE ON lcm.orders FROM lcm_sync;
GRANT SELECT ON ALL TABLES IN SCHEMA lcm TO lcm_read;
GRANT INSERT ON lcm.orders TO lcm_read; -- An order changes nothing until the machine of the file takes it.
-- The audit says itself when a row was added, and by which user of the database.
GRANT INSERT (action, source_id, source_name, principal, origin, detail) ON lcm.audit TO lcm_sync, lcm_read;
GRANT EXECUTE ON FUNCTION lcm.note_read(bigint, text, text, jsonb) TO lcm_sync, lcm_read;
GRANT SELECT ON lcm.schema_version, lcm.source_metrics, lcm.conversation_metrics, lcm.finding_metrics, lcm.order_metrics, lcm.lag_metrics TO lcm_metrics;
