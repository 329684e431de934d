-- Messages and summaries by their words, as the replica has them in lcm.search_docs: each transaction writes those of its texts. A row that
-- is deleted takes its words with it.
CREATE TABLE home.search_docs (
	kind text NOT NULL CHECK (kind IN ('message', 'summary')),
	message_id bigint REFERENCES home.messages ON DELETE CASCADE,
	summary_id text COLLATE "C" REFERENCES home.summaries ON DELETE CASCADE,
	at timestamptz,          -- When a message was written, as search orders hits.
	piece integer NOT NULL,  -- From 0.
	pieces integer NOT NULL, -- How many the text has.
	content_tsv tsvector NOT NULL
);
CREATE UNIQUE INDEX search_docs_message ON home.search_docs (message_id, piece) WHERE message_id IS NOT NULL;
CREATE UNIQUE INDEX search_docs_summary ON home.search_docs (summary_id, piece) WHERE summary_id IS NOT NULL;
CREATE INDEX search_docs_cut ON home.search_docs (kind) WHERE pieces > 1;
-- New words wait in a list until it has this many kB: the write that ends it takes them all into the index.
CREATE INDEX search_docs_content ON home.search_docs USING gin (content_tsv) WITH (gin_pending_list_limit = 1024);

-- The conversations of an older home, whose texts init makes searchable: those of messages after search_from, and of all summaries.
CREATE TABLE home.search_gaps (
	conversation_id bigint PRIMARY KEY REFERENCES home.conversations ON DELETE CASCADE,
	search_from bigint NOT NULL
);
INSERT INTO home.search_gaps (conversation_id, search_from) SELECT conversation_id, -9223372036854775808 FROM home.conversations;

-- A program that opened the home before it had search_docs can't write any more.
ALTER TABLE home.batches ADD COLUMN schema_version integer NOT NULL DEFAULT 1;
ALTER TABLE home.batches ALTER COLUMN schema_version DROP DEFAULT;
