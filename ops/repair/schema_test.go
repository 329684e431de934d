package repair_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/repair"
)

// change runs statements on a database without foreign keys.
func altered(t *testing.T, path string, statements ...string) {
	t.Helper()
	h, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	for _, q := range append([]string{"PRAGMA foreign_keys = OFF"}, statements...) {
		if err := h.Exec(q); err != nil {
			t.Fatalf("%s: %v", q, err)
		}
	}
}

// TestRepairOfAnySchema: whichever table or column is missing, a repair plans what it
// can, or says why it can't.
func TestRepairOfAnySchema(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	try := func(t *testing.T, statement string) {
		t.Helper()
		path := broken(t, fakehost.Head, "dangling-edges", "message-double")
		altered(t, path, statement)
		db := open(t, path)
		for _, op := range []ops.Op{
			&repair.Op{Conversation: 1, FilesDir: files(path)},
			&repair.Op{Conversation: 1, Choices: map[string]string{"M01": "drop", "L08": "drop", "L10": "first"}},
		} {
			p, err := op.Plan(t.Context(), db, noReport)
			var refused *data.Error
			if err != nil && !errors.Is(err, ops.ErrNothing) && !errors.Is(err, data.ErrNotFound) && !errors.As(err, &refused) {
				t.Errorf("%s: %v", statement, err)
			}
			if err == nil && p.Empty() && !p.More {
				t.Errorf("%s: an empty plan, %q", statement, p.Title)
			}
		}
	}
	path := broken(t, fakehost.Head)
	schema := open(t, path).Schema()
	for _, table := range []string{
		"conversations", "messages", "message_parts", "summaries", "summary_messages", "summary_parents", "context_items", "large_files",
		"conversation_bootstrap_state", "focus_briefs",
	} {
		t.Run(table, func(t *testing.T) {
			t.Parallel()
			try(t, "DROP TABLE "+table)
			for _, column := range schema.Columns(table) {
				try(t, fmt.Sprintf("ALTER TABLE %s RENAME COLUMN %s TO other_%s", table, column, column))
			}
		})
	}
}

// TestIDsOfAnyType: an id that is a BLOB or a number, where text belongs, stops nothing.
func TestIDsOfAnyType(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	const leaf = "(SELECT summary_id FROM summaries WHERE conversation_id = 1 AND kind = 'leaf' ORDER BY rowid LIMIT 1)"
	for name, statement := range map[string]string{
		"a summary":         "UPDATE summaries SET summary_id = CAST(summary_id AS BLOB) WHERE summary_id = " + leaf,
		"all summaries":     "UPDATE summaries SET summary_id = CAST(summary_id AS BLOB)",
		"an odd summary":    "UPDATE summaries SET summary_id = x'00ff80' WHERE summary_id = " + leaf,
		"a link's summary":  "UPDATE summary_messages SET summary_id = CAST(summary_id AS BLOB) WHERE summary_id = " + leaf,
		"a link's source":   "UPDATE summary_parents SET parent_summary_id = CAST(parent_summary_id AS BLOB)",
		"a link's message":  "UPDATE summary_messages SET message_id = x'01' WHERE summary_id = " + leaf + " AND ordinal = 0",
		"a place's summary": "UPDATE context_items SET summary_id = CAST(summary_id AS BLOB) WHERE summary_id IS NOT NULL",
		"a place's message": "UPDATE context_items SET message_id = 'many' WHERE message_id IS NOT NULL AND ordinal % 2 = 0",
		"a file":            "UPDATE large_files SET file_id = CAST(file_id AS BLOB)",
		"a part's message":  "UPDATE message_parts SET message_id = CAST(message_id || '' AS BLOB)",
		"a message's text":  "UPDATE messages SET content = CAST(content AS BLOB)",
		"a text that search lacks": "UPDATE messages SET content = CAST(content AS BLOB) WHERE message_id = 5; DELETE FROM messages_fts WHERE rowid = 5; " +
			"UPDATE summaries SET content = CAST(content AS BLOB) WHERE summary_id = " + leaf + "; UPDATE summaries_fts SET content = 'old' WHERE summary_id = " + leaf,
		"an indexed BLOB":   "UPDATE messages SET content = CAST(content AS BLOB); UPDATE messages_fts_content SET c0 = CAST(c0 AS BLOB)",
		"a note":            "UPDATE conversation_bootstrap_state SET session_file_path = x'2f00'",
		"a message's place": "UPDATE messages SET seq = x'05' WHERE message_id = 5",
		"a very long id": "INSERT INTO summary_messages (summary_id, message_id, ordinal) VALUES (hex(zeroblob(1000000)), 1, 0); " +
			"INSERT INTO summary_parents (summary_id, parent_summary_id, ordinal) VALUES (" + leaf + ", hex(zeroblob(900000)), 5)",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := broken(t, fakehost.Head)
			altered(t, path, statement)
			db := open(t, path)
			was := dump(t, path)
			for _, choices := range []map[string]string{nil, {"L08": "drop", "V07": "delete", "C02": "drop", "L04": "unlink"}} {
				p, err := (&repair.Op{All: true, Choices: choices, FilesDir: files(path)}).Plan(t.Context(), db, noReport)
				var nothing *repair.NothingError
				switch {
				case errors.As(err, &nothing):
					short(t, nothing.Left...)
					continue
				case err != nil:
					t.Fatal(err)
				}
				short(t, append(p.Notes, p.Warnings...)...)
				id, err := ops.Apply(t.Context(), db, p)
				var refused *data.InvariantError
				if errors.As(err, &refused) {
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				if err := ops.Undo(t.Context(), db, id); err != nil {
					t.Fatal(err)
				}
				if got := dump(t, path); got != was {
					t.Error(cmp.Diff(was, got))
				}
			}
		})
	}
}

// TestTextsOfBytes become texts in one repair: the next one finds nothing to do with their hashes.
func TestTextsOfBytes(t *testing.T) {
	t.Parallel()
	for _, value := range []string{"x''", "x'3132'", "CAST(content AS BLOB)", "CAST(content AS BLOB), role = 'system'", "CAST(content AS BLOB), identity_hash = NULL"} {
		path := testdb.Sample(t, fakehost.Head)
		altered(t, path, "UPDATE messages SET content = "+value+" WHERE message_id % 3 = 0")
		db := open(t, path)
		p, err := (&repair.Op{All: true}).Plan(t.Context(), db, noReport)
		testdb.Must(t, err)
		_, err = ops.Apply(t.Context(), db, p)
		testdb.Must(t, err)
		p, err = (&repair.Op{All: true, Faults: []integrity.FaultID{integrity.ContentMalformed, integrity.IdentityHashWrong}}).Plan(t.Context(), db, noReport)
		if !errors.Is(err, ops.ErrNothing) {
			t.Errorf("content = %s: then %s (%v)", value, p.Title, err)
		}
	}
}

// short fails for sentences that nobody can read.
func short(t *testing.T, sentences ...string) {
	t.Helper()
	for _, s := range sentences {
		if len(s) > 2000 {
			t.Errorf("%d bytes: %.200s…", len(s), s)
		}
	}
}

// TestAModelThatFails on the only summary that a recount shows to be too long: the plan
// says so.
func TestAModelThatFails(t *testing.T) {
	t.Parallel()
	path := broken(t, fakehost.Head)
	altered(t, path, `UPDATE summaries SET content = replace(hex(zeroblob(9000)), '0', 'words '), token_count = 1
		WHERE summary_id = (SELECT summary_id FROM summaries WHERE conversation_id = 1 AND kind = 'leaf' ORDER BY rowid LIMIT 1)`)
	w := &writer{answer: func(int, summarize.Request) (string, error) { return "", errors.New("the line is dead") }}
	p, err := (&repair.Op{Conversation: 1, Faults: []integrity.FaultID{integrity.SummaryTokensWrong, integrity.SummaryLargerThanSource}, Regenerate: regenerating(w)}).Plan(t.Context(), open(t, path), noReport)
	if err != nil {
		t.Fatal(err)
	}
	warnings := strings.Join(p.Warnings, "\n")
	for _, want := range []string{"the line is dead", "Q03", "made without result"} {
		if !strings.Contains(warnings, want) {
			t.Errorf("%q isn't said:\n%s", want, warnings)
		}
	}
}

// TestASearchTableThatCannotBeOpened is found, made again, and then filled from the rows.
func TestASearchTableThatCannotBeOpened(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for name, damage := range map[string]string{
		"no texts":        "DROP TABLE summaries_fts_content",
		"no settings":     "DROP TABLE summaries_fts_config",
		"settings erased": "DELETE FROM summaries_fts_config",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := broken(t, fakehost.Head)
			altered(t, path, damage)
			op := &repair.Op{All: true, Faults: []integrity.FaultID{integrity.SearchTableDamaged}}
			apply(t, open(t, path), op)
			if _, err := op.Plan(t.Context(), open(t, path), noReport); !errors.Is(err, ops.ErrNothing) {
				t.Errorf("a second repair says: %v", err)
			}
			const texts = "SELECT count(*) FROM summaries_fts WHERE content <> ''"
			if got, want := testdb.Rows(t, path, texts), testdb.Rows(t, path, "SELECT count(*) FROM summaries"); got[0] != want[0] {
				t.Errorf("search knows %s summaries of %s", got[0], want[0])
			}
		})
	}
}
