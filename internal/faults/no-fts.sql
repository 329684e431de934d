DROP TABLE IF EXISTS summaries_fts_cjk;
DROP TABLE IF EXISTS summaries_fts;
DROP TABLE IF EXISTS messages_fts;
