-- Letters such as "й" and "ά" are words' own letters, as in the search tables of hosts, and the two small sigmas are one. The words before
-- this version have them otherwise: init makes all texts searchable again.
INSERT INTO home.search_gaps (conversation_id, search_from) SELECT conversation_id, -9223372036854775808 FROM home.conversations
	ON CONFLICT (conversation_id) DO UPDATE SET search_from = excluded.search_from;
