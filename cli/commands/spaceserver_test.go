package commands_test

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/internal/testcli"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testhome"
	"lcm-tui/internal/testlength"
	"lcm-tui/internal/testreplica"
)

// spaceOf runs space and returns the rows of each group of the tables that a server has, too, and the bytes of the copies of texts.
func spaceOf(t *testing.T, address, by string) (rows map[string]int64, copies [2]int64) {
	t.Helper()
	exit, out, errs := testcli.RunIn(t, map[string]string{"HOME": t.TempDir()}, "--db", address, "space", "--by", by, "--json")
	var printed struct {
		FileBytes int64 `json:"file_bytes"`
		Objects   []struct{ Bytes int64 }
		Copies    struct {
			Messages int64 `json:"messages_content"`
			Parts    int64 `json:"parts_text_content"`
		}
		Groups []struct {
			Name   *string
			Tables []struct {
				Name string
				Rows int64
			}
		}
	}
	if err := json.Unmarshal([]byte(out), &printed); exit != 0 || err != nil {
		t.Fatalf("space --by %s of %s: exit %d: %v: %s%s", by, address, exit, err, out, errs)
	}
	all := int64(0)
	for _, o := range printed.Objects {
		all += o.Bytes
	}
	if printed.FileBytes <= 0 || all <= 0 || all > printed.FileBytes+int64(len(printed.Objects))*8192 {
		t.Errorf("space of %s: %d bytes, of them %d in tables", address, printed.FileBytes, all)
	}
	rows = map[string]int64{}
	for _, g := range printed.Groups {
		name := "none"
		if g.Name != nil {
			name = *g.Name
		}
		for _, table := range g.Tables {
			switch table.Name {
			case "conversations", "messages", "message_parts", "summaries", "summary_messages", "summary_parents", "context_items", "large_files":
				rows[name+" in "+table.Name] += table.Rows
			}
		}
	}
	return rows, [2]int64{printed.Copies.Messages, printed.Copies.Parts}
}

// TestSpaceOfAServer: a home and a replica have the rows and the texts of a file in each group. The sizes are the server's own, or the
// file's, shared by the bytes of rows.
func TestSpaceOfAServer(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	file := testdb.Copy(t, testdb.Fixture(t, "v0.15.3/rich.db"))
	home := testhome.New(t)
	testhome.Fill(t, home, file)
	replica := testreplica.Add(t, testreplica.Server(t), "laptop", file)
	for _, by := range []string{"conversation", "agent", "lane", "month", "kind"} {
		want, texts := spaceOf(t, file, by)
		if len(want) < 5 || texts[0] == 0 || texts[1] == 0 {
			t.Fatalf("by %s the file has %v, %v", by, want, texts)
		}
		for _, address := range []string{home, replica} {
			if got, copies := spaceOf(t, address, by); !maps.Equal(got, want) || copies != texts {
				t.Errorf("by %s: %s has %v, %v\nthe file %v, %v", by, address, got, copies, want, texts)
			}
		}
	}
	for _, address := range []string{home, replica} {
		exit, out, errs := testcli.RunIn(t, map[string]string{"HOME": filepath.Dir(file)}, "--db", address, "space")
		if exit != 0 || strings.Contains(out, "free pages") || strings.Contains(out, "given back\n-wal") || !strings.Contains(out, "only files are cleaned") {
			t.Errorf("space of %s: exit %d: %s%s", address, exit, out, errs)
		}
	}
}
