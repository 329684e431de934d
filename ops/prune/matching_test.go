package prune_test

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/jstext"
	"lcm-tui/engine/search"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/prune"
	"lcm-tui/ops/prune/proof"
	"lcm-tui/ops/prune/selector"
	"lcm-tui/ops/trash"
)

// topic is a conversation of which some messages are about something that has to go.
type topic struct {
	path  string
	conv  int64
	about []int64  // The messages that the query finds.
	other int64    // One that it doesn't find.
	words []string // Stand in what has to go, and nowhere else.
	leaf  string   // The summary above.
}

const topicQuery = "nightjar"

// unique returns n bytes of words that stand nowhere else.
func unique(name string, n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "%s%dq ", name, 1000+i*7)
	}
	return b.String()
}

// newTopic makes a file of a level with an archived conversation about a topic, whose summary has the text.
func newTopic(t *testing.T, level fakehost.Level, summary string) topic {
	t.Helper()
	out := topic{path: testdb.Sample(t, level)}
	h, err := fakehost.Open(out.path)
	testdb.Must(t, err)
	out.conv, err = h.Conversation(fakehost.Conversation{SessionKey: "agent:main:topic", SessionID: "topic-session", Active: true})
	testdb.Must(t, err)
	long := "The secret of project Nightjar:\n" + unique("harbour", 9000)
	command := `{"cmd":` + string(jstext.Quote("grep \"nightjar\" "+unique("lantern", 300))) + `}`
	for _, m := range []fakehost.Message{
		{Role: "user", Content: long, EntryID: "t1"},
		{Role: "assistant", Content: "", EntryID: "t2", Parts: []fakehost.Part{{Type: "tool", ToolCallID: "call_t2", ToolName: "exec", ToolInput: command}}},
		{Role: "user", Content: "夜想曲計画 nightjar は港の倉庫で始まり、合言葉は碧い提灯と銀の鍵である。", EntryID: "t3"},
	} {
		id, err := h.Message(out.conv, m)
		testdb.Must(t, err)
		out.about = append(out.about, id)
	}
	out.other, err = h.Message(out.conv, fakehost.Message{Role: "user", Content: "tomatoes grow well in an ordinary summer garden", EntryID: "t4"})
	testdb.Must(t, err)
	out.leaf, err = h.Leaf(out.conv, append(slices.Clone(out.about), out.other), summary)
	testdb.Must(t, err)
	testdb.Must(t, h.Exec("UPDATE conversations SET active = 0, archived_at = '2026-01-20 10:00:00', updated_at = '2026-01-20 10:00:00' WHERE conversation_id = ?", out.conv))
	testdb.Must(t, h.Close())
	out.words = []string{"harbour1000q", "harbour1700q", "lantern1000q", "碧い提灯と銀の鍵", "grep \"nightjar\"", "grep \\\"nightjar\\\""}
	return out
}

// matching returns the operation that forgets what a query finds.
func matching(db *data.DB, query string, s selector.Selector) prune.Op {
	o := search.ParseOptions{Now: db.Now()}
	return prune.Op{Verb: prune.Text, Selector: s, Matching: &prune.Matching{Query: search.Parse(query, o), Options: o}}
}

// cellsWith counts the texts of a file that have a word, by a statement of its own for each column.
func cellsWith(t *testing.T, path, word string) (where []string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	testdb.Must(t, err)
	defer db.Close()
	rows, err := db.QueryContext(t.Context(), `SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c
		WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL%' AND m.name NOT LIKE '%_fts%_data'`)
	testdb.Must(t, err)
	defer rows.Close()
	var columns [][2]string
	for rows.Next() {
		var table, column string
		testdb.Must(t, rows.Scan(&table, &column))
		columns = append(columns, [2]string{table, column})
	}
	testdb.Must(t, rows.Err())
	for _, c := range columns {
		var n int
		query := fmt.Sprintf("SELECT count(*) FROM %q WHERE instr(CAST(%q AS BLOB), CAST(? AS BLOB)) > 0", c[0], c[1])
		testdb.Must(t, db.QueryRowContext(t.Context(), query, word).Scan(&n))
		if n > 0 {
			where = append(where, fmt.Sprintf("%d of %s.%s", n, c[0], c[1]))
		}
	}
	return where
}

// bytesWith returns the files of a folder, and of those below it, that have a word in their bytes.
func bytesWith(t *testing.T, folder, word string) (files []string) {
	t.Helper()
	testdb.Must(t, filepath.WalkDir(folder, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if strings.Contains(string(text), word) {
			files = append(files, filepath.Base(path))
		}
		return err
	}))
	return files
}

// levelsWithArchive are generations whose hosts archive conversations.
var levelsWithArchive = []fakehost.Level{fakehost.V0_6, fakehost.V0_9, fakehost.V0_11, fakehost.V0_13, fakehost.V0_14, fakehost.Head}

// TestNoByteOfAForgottenTopicIsLeft: in files of several generations, whatever stands in messages, in parts, in the
// search index and in overflowing pages is gone, but for the trash; undo brings every byte back; and once the trash is
// emptied nothing is anywhere, and undo is refused.
func TestNoByteOfAForgottenTopicIsLeft(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, level := range levelsWithArchive {
		t.Run(string(level), func(t *testing.T) {
			t.Parallel()
			top := newTopic(t, level, "A plan was made.")
			for _, word := range top.words[:4] {
				if len(cellsWith(t, top.path, word)) == 0 {
					t.Fatalf("%s isn't planted", word)
				}
			}
			db := open(t, top.path)
			before := testdb.Dump(t, top.path)
			op := matching(db, topicQuery, selector.Selector{})
			op.Matching.Receipt = filepath.Join(t.TempDir(), "receipt.json")
			p := plan(t, db, op)
			if got := plannedIDs(p); !slices.Equal(got, top.about) || len(p.Set.Matching.Kept) != 0 || len(p.Set.Matching.Holding) != 0 {
				t.Fatalf("it plans %v, keeps %+v, and finds it in %+v", got, p.Set.Matching.Kept, p.Set.Matching.Holding)
			}
			out := apply(t, db, p)
			r := p.Set.Matching.Receipt
			if c := r.Last(); c.State != proof.InTrash || c.Stubs != 3 || len(c.Left) != 1 || c.Left[0].Kind != proof.TrashPlace || c.Pages == 0 || !r.IndexMerged {
				t.Errorf("the receipt says %+v", c)
			}
			checkReceiptFile(t, op.Matching.Receipt, top)
			checkNoQuery(t, top.path)
			testdb.Must(t, db.Close())
			for _, word := range top.words {
				if cells, files := cellsWith(t, top.path, word), bytesWith(t, filepath.Dir(top.path), word); len(cells) > 0 || len(files) > 1 || len(files) == 1 && !strings.HasSuffix(files[0], "-text.db") {
					t.Errorf("%q is in %v, %v", word, cells, files)
				}
			}
			db = open(t, top.path)
			testdb.Must(t, ops.Undo(t.Context(), db, out.Record))
			if testdb.Dump(t, top.path) != before {
				t.Error("undo didn't restore every byte")
			}
			p = plan(t, db, matching(db, topicQuery, selector.Selector{}))
			out = apply(t, db, p)
			emptyTrash(t, db)
			again, err := proof.Read(op.Matching.Receipt)
			testdb.Must(t, err)
			testdb.Must(t, again.CheckAgain(t.Context(), db, nil, proof.Beside{}, quiet))
			if c := again.Last(); c.State != proof.Gone || len(again.Checks) != 2 {
				t.Errorf("after the trash was emptied it says %+v", c)
			}
			if err := ops.Undo(t.Context(), db, out.Record); !errors.Is(err, trash.ErrMissing) {
				t.Errorf("undo says %v", err)
			}
			testdb.Must(t, db.Close())
			for _, word := range top.words {
				if files := bytesWith(t, filepath.Dir(top.path), word); len(files) > 0 {
					t.Errorf("%q is still in %v", word, files)
				}
			}
		})
	}
}

// plannedIDs returns the messages that a plan forgets.
func plannedIDs(p ops.Plan) (ids []int64) {
	for _, m := range p.Set.Matching.Messages {
		ids = append(ids, m.ID)
	}
	return ids
}

// emptyTrash deletes all files of the trash.
func emptyTrash(t *testing.T, db *data.DB) {
	t.Helper()
	files, err := trash.List(t.Context(), db)
	testdb.Must(t, err)
	testdb.Must(t, trash.Empty(t.Context(), db, files))
}

// checkReceiptFile checks that a receipt is private and has digests and no text.
func checkReceiptFile(t *testing.T, path string, top topic) {
	t.Helper()
	info, err := os.Stat(path)
	testdb.Must(t, err)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("the receipt has the mode %o", info.Mode().Perm())
	}
	text, err := os.ReadFile(path)
	testdb.Must(t, err)
	for _, word := range append([]string{topicQuery, "Nightjar", "夜想曲"}, top.words...) {
		if strings.Contains(string(text), word) {
			t.Errorf("the receipt has %q", word)
		}
	}
	var r struct {
		Messages []struct {
			ID     int64  `json:"message_id"`
			SHA256 string `json:"sha256"`
		}
	}
	testdb.Must(t, json.Unmarshal(text, &r))
	want := proof.Digest("The secret of project Nightjar:\n" + unique("harbour", 9000))
	if len(r.Messages) != 3 || r.Messages[0].ID != top.about[0] || r.Messages[0].SHA256 != want {
		t.Errorf("the receipt has the messages %+v", r.Messages)
	}
	altered := filepath.Join(t.TempDir(), "altered.json")
	testdb.WriteText(t, altered, strings.Replace(string(text), want, proof.Digest("x"), 1))
	if _, err := proof.Read(altered); !errors.Is(err, proof.ErrAltered) {
		t.Errorf("an altered receipt is read: %v", err)
	}
}

// checkNoQuery checks that no record and no list of the trash says what was asked for.
func checkNoQuery(t *testing.T, path string) {
	t.Helper()
	for _, query := range []string{"SELECT title || detail || changes FROM lcm_tui_undo"} {
		for _, row := range testdb.Rows(t, path, query) {
			if strings.Contains(strings.ToLower(row), topicQuery) {
				t.Errorf("a record says what was asked for: %s", row)
			}
		}
	}
	files, err := filepath.Glob(filepath.Join(data.TrashFolder(path), "*.db"))
	testdb.Must(t, err)
	for _, f := range files {
		for _, row := range testdb.Rows(t, f, "SELECT selector || source || files FROM lcm_tui_trash") {
			if strings.Contains(row, topicQuery) {
				t.Errorf("the trash says what was asked for: %s", row)
			}
		}
	}
}
