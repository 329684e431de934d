package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testdb"
)

// picked returns a summary of a kind in a conversation's context.
func picked(t *testing.T, db string, conv int64, kind string) (id string) {
	t.Helper()
	h, err := fakehost.Open(db)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	err = h.Read([]any{&id}, "SELECT summary_id FROM context_items JOIN summaries USING (summary_id) WHERE context_items.conversation_id = ? AND kind = ? LIMIT 1", conv, kind)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// transcripts writes those that a command imports: two short ones or one that is imported in
// parts. And it writes a text.
func transcripts(t *testing.T, folder, args string) {
	t.Helper()
	for name, n := range map[string]int{"a": 2, "b": 2, "long": 2001} {
		if !strings.Contains(args, "/"+name+".jsonl") {
			continue
		}
		var b strings.Builder
		fmt.Fprintf(&b, `{"type":"session","version":3,"id":"%s","timestamp":"2026-03-01T09:00:00.000Z","cwd":"/x"}`+"\n", name)
		parent := "null"
		for i := range n {
			role := []string{"user", "assistant"}[i%2]
			fmt.Fprintf(&b, `{"type":"message","id":"%s%d","parentId":%s,"timestamp":"2026-03-01T09:00:01.000Z","message":{"role":"%s","content":[{"type":"text","text":"%s says %d"}]}}`+"\n", name, i, parent, role, role, i)
			parent = fmt.Sprintf(`"%s%d"`, name, i)
		}
		if err := os.WriteFile(filepath.Join(folder, name+".jsonl"), []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "text.md"), []byte("written by hand\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

func dumped(t *testing.T, db string) string {
	t.Helper()
	text, err := testdb.DumpTables(db, "lcm_tui_undo", "sqlite_sequence")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// ids returns the records in the file that the command wrote, or undid.
func ids(t *testing.T, db, event string) (out []int64) {
	t.Helper()
	h, err := fakehost.Open(db)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	query := "SELECT id FROM lcm_tui_undo ORDER BY id"
	if event != "" {
		query = "SELECT id FROM lcm_tui_undo WHERE undone_at IS NOT NULL ORDER BY id"
	}
	err = h.Each(query, nil, func(scan func(...any) error) error {
		out = append(out, 0)
		return scan(&out[len(out)-1])
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func undoAll(t *testing.T, db string, there []int64) {
	t.Helper()
	if err := faults.Alter(db, `PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = substr(sql, 1, instr(sql, ', CHECK (') - 1) || ')' WHERE name = 'lcm_tui_undo';
		PRAGMA writable_schema = RESET;`); err != nil {
		t.Fatal(err)
	}
	for _, id := range slices.Backward(there) {
		if exit, _, errs := run(t, db, "undo", fmt.Sprint(id)); exit != 0 {
			t.Fatalf("undo %d: %s", id, errs)
		}
	}
}

// recordsIn returns the records that standard output names.
func recordsIn(t *testing.T, out, args string) (found []int64) {
	t.Helper()
	if out == "" {
		return nil
	}
	if !strings.HasSuffix(args, "--json") {
		return recordsInText(out)
	}
	if strings.HasPrefix(args, "undo") {
		var undone struct{ Undone int64 }
		if err := json.Unmarshal([]byte(out), &undone); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return []int64{undone.Undone}
	}
	if strings.HasPrefix(args, "redo") {
		var redone struct{ Records []struct{ ID int64 } }
		if err := json.Unmarshal([]byte(out), &redone); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return []int64{redone.Records[0].ID}
	}
	type part struct {
		Record  *int64
		Records []int64
	}
	var all struct {
		part
		Steps      []part
		Files      []part
		Compaction *part
	}
	if err := json.Unmarshal([]byte(out), &all); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	parts := slices.Concat(all.Steps, all.Files)
	if all.Compaction != nil {
		parts = append(parts, *all.Compaction)
	}
	if len(all.Files) == 0 {
		parts = append(parts, all.part)
	}
	for _, p := range parts {
		if found = append(found, p.Records...); p.Record != nil && !slices.Contains(p.Records, *p.Record) {
			found = append(found, *p.Record)
		}
	}
	return found
}

// recordsInText returns those of lines such as "applied as records 1 to 3; …".
func recordsInText(out string) (found []int64) {
	for line := range strings.Lines(out) {
		var first, last int64
		if n, _ := fmt.Sscanf(line, "applied as records %d to %d", &first, &last); n == 2 {
			for id := first; id <= last; id++ {
				found = append(found, id)
			}
			continue
		}
		for _, format := range []string{"applied as record %d;", "record %d is undone"} {
			if n, _ := fmt.Sscanf(line, format, &first); n == 1 {
				found = append(found, first)
			}
			var of int64
			if n, _ := fmt.Sscanf(line, "record %d is redone as record %d;", &of, &first); n == 2 && format == "applied as record %d;" {
				found = append(found, first)
			}
		}
	}
	return found
}
