-- Letters such as "й" and "ά" are words' own letters, as in the search tables of hosts, and the two small sigmas are one. The words before
-- this version have them otherwise. Each machine fills the table again at its next sync.

TRUNCATE lcm.search_docs;
UPDATE lcm.sync_conversations SET search_from = -9223372036854775808 WHERE messages + summaries > 0;
