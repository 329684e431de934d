package backfill_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"lcm-tui/data/jstext"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// importedRows are the rows that an import made, without ids and times. The ids of files are
// numbered in the order in which the rows name them.
type importedRows struct {
	Messages []map[string]any   `json:"messages"`
	Parts    [][]map[string]any `json:"parts"` // By message.
	Context  [][]any            `json:"context"`
	Files    []map[string]any   `json:"files"`
	FileRows int                `json:"file_rows"`
}

// TestOddTranscriptsAsTheHost: transcripts with messages of odd shapes, line ends and files make the
// rows that the reference engine made of them, and the files have its bytes.
func TestOddTranscriptsAsTheHost(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, path := range testdb.FixtureFiles(t, "wild/ingest/*.jsonl") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			var want importedRows
			b, err := os.ReadFile(strings.TrimSuffix(path, ".jsonl") + ".want.json")
			if err == nil {
				err = json.Unmarshal(b, &want)
			}
			if err != nil || len(want.Messages) == 0 {
				t.Fatal(err)
			}
			lines, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var header struct{ ID string }
			first, _, _ := strings.Cut(string(lines), "\n")
			if err := json.Unmarshal([]byte(first), &header); err != nil {
				t.Fatal(err)
			}
			session := filepath.Join(t.TempDir(), header.ID+".jsonl")
			if err := os.WriteFile(session, lines, 0o600); err != nil {
				t.Fatal(err)
			}
			database := testdb.Copy(t, filepath.Join(filepath.Dir(path), "empty.sqlite"))
			o := request(t, session)
			o.Threshold = 1000
			mustApply(t, open(t, database), o)
			if diff := cmp.Diff(want, readImported(t, database), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

// readImported reads what an import made.
func readImported(t *testing.T, path string) (out importedRows) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	numbers := fileNumbers{}
	places := map[any]int{}
	for _, m := range numbers.rows(t, db, `SELECT message_id, seq, role, content, token_count, identity_hash, large_content, openclaw_sender_metadata
		FROM messages ORDER BY conversation_id, seq`) {
		id := m["message_id"]
		places[id] = len(places)
		delete(m, "message_id")
		if strings.Contains(m["content"].(string), "file_") {
			delete(m, "identity_hash") // It depends on the file's id.
		}
		parts := numbers.rows(t, db, "SELECT * FROM message_parts WHERE message_id = ? ORDER BY ordinal", id)
		for _, p := range parts {
			for _, random := range []string{"part_id", "message_id", "session_id"} {
				delete(p, random)
			}
		}
		out.Messages, out.Parts = append(out.Messages, m), append(out.Parts, parts)
	}
	for _, c := range numbers.rows(t, db, "SELECT ordinal, item_type, message_id FROM context_items ORDER BY conversation_id, ordinal") {
		out.Context = append(out.Context, []any{c["ordinal"], c["item_type"], float64(places[c["message_id"]])})
	}
	files := map[string]map[string]any{}
	for _, f := range fileNumbers(nil).rows(t, db, "SELECT * FROM large_files") {
		files[f["file_id"].(string)] = f
	}
	out.FileRows = len(files)
	for _, id := range slices.SortedFunc(maps.Keys(numbers), func(a, b string) int { return numbers[a] - numbers[b] }) {
		f, ok := files[id]
		if !ok {
			continue
		}
		path := f["storage_uri"].(string)
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		file := map[string]any{"n": float64(numbers[id]), "line_count": f["line_count"], "ext": filepath.Ext(path), "data": numbers.in(jstext.Decode(string(content)))}
		for _, column := range []string{"file_name", "mime_type", "byte_size", "exploration_summary"} {
			if file[column] = f[column]; f[column] != nil && column != "byte_size" {
				file[column] = numbers.in(f[column].(string))
			}
		}
		out.Files = append(out.Files, file)
	}
	return out
}

// fileNumbers are the numbers of file ids, in the order in which they are named.
type fileNumbers map[string]int

// in replaces the ids of files in a text by their numbers.
func (n fileNumbers) in(text string) string {
	if n == nil {
		return text
	}
	return fileID.ReplaceAllStringFunc(text, func(id string) string {
		if _, known := n[id]; !known {
			n[id] = len(n)
		}
		return fmt.Sprintf("file_#%d", n[id])
	})
}

var fileID = regexp.MustCompile("file_[0-9a-f]{16}")

// rows reads rows as JSON has them, with numbered files.
func (n fileNumbers) rows(t *testing.T, db *sql.DB, query string, args ...any) (out []map[string]any) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), query, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		values, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		row := map[string]any{}
		for i, v := range values {
			switch v := v.(type) {
			case int64:
				row[columns[i]] = float64(v)
			case string:
				row[columns[i]] = n.in(v)
			default:
				row[columns[i]] = v
			}
		}
		out = append(out, row)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}
