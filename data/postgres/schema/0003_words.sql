-- Texts are searched by the words that the search tables of hosts have, which this program makes: the server's own 'english'
-- leaves words such as "the" out, and splits texts at other places. Each machine fills the table again at its next sync.

TRUNCATE lcm.search_docs;
ALTER TABLE lcm.search_docs
	ADD COLUMN at timestamptz,          -- When the text was written, as search orders hits.
	ADD COLUMN pieces integer NOT NULL, -- How many the text has.
	ADD COLUMN words integer NOT NULL;  -- How many of this piece the piece before doesn't have.
CREATE INDEX search_docs_cut ON lcm.search_docs (source_id, kind) WHERE pieces > 1;
UPDATE lcm.sync_conversations SET search_from = -9223372036854775808 WHERE messages + summaries > 0;
