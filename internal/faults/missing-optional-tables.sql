DROP TABLE IF EXISTS focus_brief_sources;
DROP TABLE IF EXISTS focus_briefs;
DROP TABLE IF EXISTS summaries_fts_cjk;
DROP TABLE IF EXISTS messages_fts;
DROP TABLE IF EXISTS conversation_compaction_telemetry;
DROP TABLE IF EXISTS conversation_compaction_maintenance;
DROP TABLE IF EXISTS lcm_migration_state;
DROP TABLE IF EXISTS conversation_bootstrap_state;
