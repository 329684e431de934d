package explore_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/engine/explore"

	_ "modernc.org/sqlite" // the driver named sqlite

	"lcm-tui/internal/testdb"
)

// TestDescribeAsTheHost: what the reference engine says of each file that it moved
// out of a message is said again.
func TestDescribeAsTheHost(t *testing.T) {
	t.Parallel()
	root := testdb.Fixtures(t)
	for _, name := range []string{"v0.15.3/small.db", "v0.15.3/rich.db", "v0.1.0/small.db"} {
		db, err := sql.Open("sqlite", "file:"+filepath.Join(root, name)+"?mode=ro&immutable=1")
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		rows, err := db.QueryContext(t.Context(), "SELECT file_name, mime_type, storage_uri, exploration_summary FROM large_files")
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			var file, mime, uri, want string
			if err := rows.Scan(&file, &mime, &uri, &want); err != nil {
				t.Fatal(err)
			}
			_, rest, _ := strings.Cut(uri, "fixtures/")
			b, err := os.ReadFile(filepath.Join(root, rest))
			if err != nil {
				t.Fatal(err)
			}
			got := explore.Describe(file, mime, string(b))
			if strings.HasPrefix(mime, "image/") {
				got = explore.Image(file, mime, len(b))
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: -want +got\n%s", file, diff)
			}
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestDescribe(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, mime, body, want string }{
		{"a.json", "", `[1,"x",null,{"a":1}]`, "Structured summary (JSON):\nTop-level type: array.\nShape: array(len=4, sample=[number, string, null])."},
		{"a.json", "", `{oops`, "Text exploration summary (a.json):\nCharacters: 5.\nWords: 1.\nLines: 1.\nDetected section headers: none detected.\nOpening excerpt: {oops.\nClosing excerpt: {oops."},
		{"a.tsv", "", "a\tb\n", "Structured summary (TSV):\nRows: 0.\nColumns (2): a, b."},
		{"a.yml", "", "name: x\non:\n  push: y\nname: z\n", "Structured summary (YAML):\nTop-level keys (2): name, on."},
		{"a.xml", "", "<?xml version=\"1.0\"?>\n<plist><dict/></plist>", "Structured summary (XML):\nRoot element: plist.\nElements: 2."},
		{"a.py", "", "import os\n\ndef f():\n  pass\n", "Code exploration summary (a.py):\nLines: 5.\nImports/dependencies (1): import os.\nTop-level definitions (1): def f():."},
		{"", "text/plain", strings.Repeat("a", 499) + "🧪" + strings.Repeat("b", 499), "Text exploration summary ():\nCharacters: 1,000.\nWords: 1.\nLines: 1.\nDetected section headers: none detected.\nOpening excerpt: " + strings.Repeat("a", 499) + "\ufffd.\nClosing excerpt: \ufffd" + strings.Repeat("b", 499) + "."},
	} {
		if diff := cmp.Diff(c.want, explore.Describe(c.name, c.mime, c.body)); diff != "" {
			t.Errorf("%s: -want +got\n%s", c.name, diff)
		}
	}
}

func FuzzDescribe(f *testing.F) {
	f.Add("a.csv", "\"\xff,\n\n")
	f.Add("a.json", `{"a":[[[[[[[1]]]]]]]}`)
	f.Add("a.md", "# \xf0\x9f")
	f.Fuzz(func(t *testing.T, name, body string) {
		if got := explore.Describe(name, "", body); len(got) > 20_000+2*len(name) {
			t.Errorf("%d bytes about %d", len(got), len(body))
		}
	})
}
