package integrity_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/lcmtest"
)

var q = regexp.MustCompile(`(?s)-- (\w\d\d) \[(\w+)\][^\n]*\n(.*?);\n`)

func TestExplore(t *testing.T) {
	b, _ := os.ReadFile("testdata/faults.sql")
	show := func(name, path string) {
		db, err := data.Open(t.Context(), path)
		if err != nil {
			fmt.Println(name, "OPEN", err)
			return
		}
		defer db.Close()
		d, err := integrity.Check(t.Context(), db, integrity.Request{FilesDir: filepath.Join(filepath.Dir(path), "lcm-files")}, nil)
		if err != nil {
			fmt.Println(name, "CHECK", err)
			return
		}
		got := map[string]int{}
		for _, f := range d.Findings {
			got[f.Fault+"/"+string(f.Severity)]++
		}
		var mine []string
		for k, n := range got {
			mine = append(mine, fmt.Sprintf("%s:%d", k, n))
		}
		slices.Sort(mine)
		var theirs []string
		for _, m := range q.FindAllStringSubmatch(string(b)+"\n", -1) {
			if m[1] == "X06" || m[1] == "G03" {
				continue
			}
			rows, err := lcmtest.Query(path, m[3])
			if err == nil && len(rows) > 0 && rows[0][0] != "ok" {
				theirs = append(theirs, fmt.Sprintf("%s:%d", m[1], len(rows)))
			}
		}
		fmt.Println("==", name, "\n   mine  ", strings.Join(mine, " "), "\n   theirs", strings.Join(theirs, " "))
	}
	for _, l := range append(lcmtest.Levels(), lcmtest.Beta, lcmtest.Fork) {
		path := filepath.Join(t.TempDir(), "lcm.db")
		if err := lcmtest.Sample(path, l); err != nil {
			t.Fatal(err)
		}
		show(string(l), path)
	}
	for _, f := range lcmtest.Faults() {
		for _, l := range []lcmtest.Level{lcmtest.V0_1, lcmtest.Head} {
			path := filepath.Join(t.TempDir(), "lcm.db")
			if err := lcmtest.Sample(path, l); err != nil {
				t.Fatal(err)
			}
			if lcmtest.Break(path, f) == nil {
				show(f+" "+string(l), path)
			}
		}
	}
}
