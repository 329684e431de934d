PRAGMA writable_schema = ON;
DELETE FROM sqlite_master WHERE name = 'summaries_fts_docsize';
PRAGMA writable_schema = OFF;
