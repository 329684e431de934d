-- needs focus_briefs.status
INSERT OR IGNORE INTO focus_briefs (brief_id, conversation_id, prompt, content, status) VALUES ('focus_ffffffffffffffff', 1, 'the flag', 'All about the flag.', 'active');
INSERT OR IGNORE INTO focus_brief_sources (brief_id, summary_id, ordinal, role) VALUES ('focus_ffffffffffffffff', 'sum_ffffffffffffffff', 0, 'active');
