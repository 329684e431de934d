package integrity_test

import (
	"fmt"
	"testing"

	"lcm-tui/engine/integrity"
)

// leaf inserts a leaf summary of messages; placed gives it a context item.
func leaf(id string, placed bool, messages ...int64) (out []string) {
	out = append(out, fmt.Sprintf(`INSERT INTO summaries (summary_id, conversation_id, kind, depth, content, token_count, earliest_at, latest_at, created_at)
		VALUES ('%s', 1, 'leaf', 0, 'What was said in %s.', 6, '2026-01-06T08:00:00.000Z', '2026-01-06T08:02:00.000Z', '2026-01-06 09:00:00')`, id, id))
	for i, m := range messages {
		out = append(out, fmt.Sprintf("INSERT INTO summary_messages VALUES ('%s', %d, %d)", id, m, i))
	}
	if placed {
		out = append(out, fmt.Sprintf("INSERT INTO context_items (conversation_id, ordinal, item_type, summary_id) SELECT 1, max(ordinal) + 1, 'summary', '%s' FROM context_items WHERE conversation_id = 1", id))
	}
	return out
}

// shown returns messages in a row, each with a context item.
func shown(ids ...int64) (out []inserted) {
	for _, id := range ids {
		out = append(out, inserted{id: id, role: "user", text: fmt.Sprintf("number %d says this", id), at: "2026-01-06 08:00:00"})
	}
	return out
}

// hidden returns messages without context items.
func hidden(ids ...int64) []inserted {
	out := shown(ids...)
	for i := range out {
		out[i].hidden = true
	}
	return out
}

// TestLeftoversOfCompactions: an unreferenced summary is a leftover while a source of it is
// still in the context. Its replacement is finished without a question only where all sources
// stand together; else its text may be deleted, which the user has to choose.
func TestLeftoversOfCompactions(t *testing.T) {
	t.Parallel()
	checkScenes(t, map[string]scene{
		"all sources stand together": {
			messages: shown(9000, 9001, 9002), more: leaf("sum_together", false, 9000, 9001, 9002), rows: []string{"sum_together"},
			want: []string{"sum_together warn decided"},
		},
		"another message stands between them": {
			messages: shown(9010, 9011, 9012), more: leaf("sum_apart", false, 9010, 9012), rows: []string{"sum_apart"},
			want: []string{"sum_apart warn"},
		},
		"a source isn't in the context": {
			messages: append(shown(9020), hidden(9021)...), more: leaf("sum_partly", false, 9020, 9021), rows: []string{"sum_partly"},
			want: []string{"sum_partly warn"},
		},
		"no source is in the context": {
			messages: hidden(9030, 9031), more: leaf("sum_out", false, 9030, 9031), rows: []string{"sum_out"},
		},
		"it is in the context": {
			messages: hidden(9040, 9041), more: leaf("sum_in", true, 9040, 9041), rows: []string{"sum_in"},
		},
		"lcm-tui dissolved it": {
			messages: shown(9050, 9051),
			more: append(leaf("sum_dissolved", false, 9050, 9051), `CREATE TABLE IF NOT EXISTS lcm_tui_undo (id INTEGER PRIMARY KEY, op TEXT NOT NULL, title TEXT NOT NULL,
				applied_at TEXT NOT NULL, undone_at TEXT, detail TEXT NOT NULL, changes TEXT NOT NULL, search TEXT NOT NULL)`,
				`INSERT INTO lcm_tui_undo (op, title, applied_at, detail, changes, search)
				VALUES ('dissolve', 'dissolve sum_dissolved', '2026-01-06T10:00:00.000Z', '{}', '[]', '[]')`),
			rows: []string{"sum_dissolved"},
			want: []string{"sum_dissolved info"},
		},
	}, integrity.CompactionLeftover)
}

// TestUnreferencedSummaries: what nothing refers to and no compaction left is forgotten text.
func TestUnreferencedSummaries(t *testing.T) {
	t.Parallel()
	checkScenes(t, map[string]scene{
		"no source is in the context": {
			messages: hidden(9000, 9001), more: leaf("sum_out", false, 9000, 9001), rows: []string{"sum_out"},
			want: []string{"sum_out warn"},
		},
		"it has no sources": {
			more: leaf("sum_bare", false), rows: []string{"sum_bare"}, want: []string{"sum_bare warn"},
		},
		"a source is in the context": {
			messages: shown(9010), more: leaf("sum_leftover", false, 9010), rows: []string{"sum_leftover"},
		},
		"another summary was made from it": {
			messages: hidden(9020), rows: []string{"sum_source", "sum_above"},
			more: append(append(leaf("sum_source", false, 9020), leaf("sum_above", true)...), "INSERT INTO summary_parents VALUES ('sum_above', 'sum_source', 0)"),
		},
		"its source is a summary of another conversation": {
			rows: []string{"sum_abroad"},
			more: append(leaf("sum_abroad", false), "INSERT INTO summary_parents VALUES ('sum_abroad', 'sum_690ab324ba5c54f0', 0)"),
			want: []string{"sum_abroad warn"},
		},
	}, integrity.SummaryUnreferenced)
}

// TestUnreferencedMessages: what no context and no summary names is forgotten, but for what
// holds nothing or stands elsewhere.
func TestUnreferencedMessages(t *testing.T) {
	t.Parallel()
	note := inserted{id: 9040, role: "system", text: "LCM compaction leaf pass (normal): 900 -> 100", at: "2026-01-06 08:00:00", hidden: true}
	blank := inserted{id: 9050, role: "assistant", text: " ", at: "2026-01-06 08:00:00", hidden: true, noPart: true}
	again := inserted{id: 9061, role: "user", text: "number 9060 says this", at: "2026-01-06 08:00:00", hidden: true}
	checkScenes(t, map[string]scene{
		"in no context": {messages: hidden(9000, 9001), want: []string{"9000 warn"}},
		"in a context":  {messages: shown(9010, 9011)},
		"under a summary": {
			messages: hidden(9020), more: leaf("sum_covers", true, 9020), rows: []string{"sum_covers"},
		},
		"a note of a compaction": {messages: []inserted{note}},
		"without content":        {messages: []inserted{blank}},
		"a duplicate":            {messages: append(shown(9060), again), want: []string{"9061 info"}}, // As a duplicate.
	}, integrity.MessageUnreferenced, integrity.MessageDuplicate)
}
