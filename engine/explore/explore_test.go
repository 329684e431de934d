package explore_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	_ "modernc.org/sqlite" // the driver named sqlite

	"lcm-tui/engine/explore"
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

// TestDescribe: the rules of the reference engine, line by line.
func TestDescribe(t *testing.T) {
	t.Parallel()
	const noParse, noRows = "Structured summary (JSON): failed to parse as valid JSON.", "Structured summary (CSV): no rows found."
	json := func(kind, shape string) string {
		return "Structured summary (JSON):\nTop-level type: " + kind + ".\nShape: " + shape + "."
	}
	code := func(name, lines, imports, definitions string) string {
		return "Code exploration summary" + name + ":\nLines: " + lines + ".\nImports/dependencies " + imports + ".\nTop-level definitions " + definitions + "."
	}
	text := func(name, characters, words, lines, headers, opening, closing string) string {
		return "Text exploration summary" + name + ":\nCharacters: " + characters + ".\nWords: " + words + ".\nLines: " + lines +
			".\nDetected section headers: " + headers + ".\nOpening excerpt: " + opening + ".\nClosing excerpt: " + closing + "."
	}
	a := strings.Repeat("a", 499)
	for _, c := range []struct{ name, mime, body, want string }{
		{"a.json", "", `[1,"x",null,{"a":1}]`, json("array", "array(len=4, sample=[number, string, object])")},
		{"a.json", "", `[[],[[1]],{}]`, json("array", "array(len=3, sample=[array(len=0), array(len=1, sample=[...]), object(keys=0)])")},
		{"a.json", "", `null`, json("object", "object")},
		{"a.json", "", ` true `, json("boolean", "boolean")},
		{"", "application/json;x", `{"b":1,"2":1,"10":1,"1":1,"b":2,"01":1}`, json("object", "object(keys=5: 1, 2, 10, b, 01)")},
		{"a.json", "", `{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1,"k":1}`, json("object", "object(keys=11: a, b, c, d, e, f, g, h, i, j)")},
		{"a.json", "", `{oops`, noParse},
		{"a.csv", "application/json", "a,b", noParse},
		{"a.json", "", "\ufeff{}", noParse},
		{"a.csv", "", " \n\r\n", noRows},
		{"a.tsv", "", "a\tb\n", "Structured summary (CSV):\nRows: 0.\nColumns (2): a, b.\nFirst row sample: (no data rows)."},
		{"main.go", "text/csv", "a, ,\"b,c\"\r\n x \t y \r\n\nz", "Structured summary (CSV):\nRows: 2.\nColumns (3): a, \"b, c\".\nFirst row sample: x y."},
		{"a.yml", "", "name: x\non:\n  push:\non: # again\n\"q\":\na.b-c:\t\r\n", "Structured summary (YAML):\nTop-level keys (2): on, a.b-c."},
		{"a.yaml", "", "- x", "Structured summary (YAML):\nTop-level keys (0): (none detected)."},
		{"a.xml", "", "<?xml version=\"1.0\"?>\n<p:list\tx=\"1\"><dict/><a><b ></a><a></p:list>", "Structured summary (XML):\nRoot element: p:list.\nChild elements seen: a, b."},
		{"a.xml", "", "<a/>", "Structured summary (XML):\nRoot element: unknown.\nChild elements seen: (none detected)."},
		{"a.ndjson", "application/x-ndjson", "{}\r\n🧪", "Structured summary:\nCharacters: 6.\nLines: 2."},
		{"a.py", "", "import os\n  from\ta import  b\n\n  def f(x):\n", code(" (a.py)", "5", "(2): import os | from a import b", "(1): def f(x):")},
		{"", "text/x-csharp", "classes\nclasses\nimport", code("", "3", "(0): none detected", "(1): classes")},
		{"a.ts", "", "export async function f() {\nconst x = (1)\nconst y = require('z')", code(" (a.ts)", "3", "(1): const y = require('z')", "(2): export async function f() { | const x = (1)")},
		{"", "text/plain", a + "🧪" + strings.Repeat("b", 499), text("", "1,000", "1", "1", "none detected", a+"\ufffd", "\ufffd"+strings.Repeat("b", 499))},
		{"a.mjs", "", " \ufeff\n", text(" (a.mjs)", "3", "0", "2", "none detected", "(empty)", "(empty)")},
		{"a.md", "", "# A\r\n#\u00a0B\n#\n# A\n15000000000\nABC DEF:\nABCDEF\n", text(" (a.md)", "43", "11", "8", "# A | #\u00a0B | 15000000000 | ABC DEF:", "# A # B # # A 15000000000 ABC DEF: ABCDEF", "# A # B # # A 15000000000 ABC DEF: ABCDEF")},
	} {
		if diff := cmp.Diff(c.want, explore.Describe(c.name, c.mime, c.body)); diff != "" {
			t.Errorf("%s %s: -want +got\n%s", c.name, c.mime, diff)
		}
	}
}

// TestDescribeShowsTheFirstOfEachKind: lines are counted before those that repeat are left out.
func TestDescribeShowsTheFirstOfEachKind(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, line, want string }{
		{"a.py", "import x", "Imports/dependencies (1): import x.\n"},
		{"a.py", "class X:", "Top-level definitions (1): class X:."},
		{"a.md", "## X", "Detected section headers: ## X.\n"},
	} {
		body := strings.Repeat(c.line+"\n", 24) + c.line + " last"
		if got := explore.Describe(c.name, "", body); !strings.Contains(got, c.want) {
			t.Errorf("%s: got\n%s\nwant %s", c.name, got, c.want)
		}
	}
}

// TestCut: what is too long ends with three dots, after UTF-16 units.
func TestCut(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, start string
		units       int
	}{{"a.py", "import ", 180}, {"a.py", "class ", 200}, {"a.md", "# ", 160}} {
		fits := c.start + strings.Repeat("x", c.units-len(c.start))
		for body, want := range map[string]string{
			fits: fits + ".", fits + "y": fits + "....", strings.TrimSuffix(fits, "x") + "🧪": strings.TrimSuffix(fits, "x") + "\ufffd....",
		} {
			if got := explore.Describe(c.name, "", body) + "\n"; !strings.Contains(got, ": "+want+"\n") {
				t.Errorf("%s: got\n%s\nwant %s", c.name, got, want)
			}
		}
	}
}

func TestExtension(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, mime, want string }{
		{"a.JSON", "text/plain", "json"},
		{" dir.d\\a.tar.GZ ", "", "gz"},
		{".bashrc", " Text/CSV ", "csv"},
		{"a.", "text/x-c++", "cpp"},
		{"a.b-c", "application/x-sh", "sh"},
		{"a.elevenchars", "application/json; charset=utf-8", "txt"},
		{"dir.x/a", "", "txt"},
	} {
		if got := explore.Extension(c.name, c.mime); got != c.want {
			t.Errorf("%q %q: %s, want %s", c.name, c.mime, got, c.want)
		}
	}
}

func FuzzDescribe(f *testing.F) {
	f.Add("a.csv", "\"\xff,\n\n")
	f.Add("a.json", `{"a":[[[[[[[1]]]]]]]}`)
	f.Add("a.md", "# \xf0\x9f")
	f.Add("a.xml", "<a><a <b>")
	f.Add("a.yml", "a:\r\n b:#\n")
	f.Add("a.ts", "const x = require(\n\u2028type")
	f.Fuzz(func(t *testing.T, name, body string) {
		if got := explore.Describe(name, "", body); len(got) > 20_000+2*len(name) {
			t.Errorf("%d bytes about %d", len(got), len(body))
		}
	})
}
