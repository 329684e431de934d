CREATE TABLE IF NOT EXISTS lcm_tui_undo (id INTEGER PRIMARY KEY, op TEXT NOT NULL, title TEXT NOT NULL, applied_at TEXT NOT NULL, undone_at TEXT,
	detail TEXT NOT NULL, changes TEXT NOT NULL, search TEXT NOT NULL);
INSERT OR IGNORE INTO lcm_tui_undo (id, op, title, applied_at, detail, changes, search) VALUES
	(4711, 'prune', 'forget 12 texts', '2026-01-06T10:00:00.000Z', '{"trash":{"path":"/nowhere/lcm.db.lcm-tui-trash/20260106T100000Z-text.db","sha256":"00","bytes":1}}', '[]', '[]');
