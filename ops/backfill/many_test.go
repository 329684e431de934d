package backfill_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/ops"
	"lcm-tui/ops/backfill"
)

// TestManyFilesAreImportedOneAfterAnother: the plan says what each file adds, its steps write
// the others, and a file that can't be read costs only itself.
func TestManyFilesAreImportedOneAfterAnother(t *testing.T) {
	t.Parallel()
	path := fresh(t, fakehost.V0_15)
	db := open(t, path)
	var files []*backfill.Op
	for name, lines := range map[string][]string{"a.jsonl": chain(3), "b.jsonl": {"{}"}, "c.jsonl": chain(5)} {
		text := strings.ReplaceAll(strings.Join(lines, "\n"), "s1", name)
		o := request(t, file(t, name, strings.Split(text, "\n")...))
		o.Batch = 2
		files = append(files, o)
	}
	slices.SortFunc(files, func(a, b *backfill.Op) int { return strings.Compare(a.Path[len(a.Path)-7:], b.Path[len(b.Path)-7:]) })
	m := &backfill.Many{Files: files}
	p, err := m.Plan(t.Context(), db, noReport)
	if err != nil {
		t.Fatal(err)
	}
	notes := strings.Join(p.Notes, "\n")
	if p.Title != "import 8 messages of 2 session files (rows of the first of them, "+filepath.Base(files[0].Path)+")" || !strings.Contains(notes, "a.jsonl: 3 messages into a new conversation") ||
		!strings.Contains(notes, "c.jsonl: 5 messages into a new conversation") || !strings.Contains(strings.Join(p.Warnings, "\n"), "b.jsonl is left out") {
		t.Errorf("%s\n%s\n%q", p.Title, notes, p.Warnings)
	}
	if _, err := ops.Apply(t.Context(), db, p); err != nil {
		t.Fatal(err)
	}
	steps := 1
	for {
		step, _ := m.Step(steps)
		p, err := step.Plan(t.Context(), db, noReport)
		if errors.Is(err, ops.ErrNothing) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ops.Apply(t.Context(), db, p); err != nil {
			t.Fatal(err)
		}
		steps++
	}
	if got := query(t, path, "SELECT count(*) n, (SELECT count(*) FROM conversations) c FROM messages"); got != "n=8 c=2 \n" || steps != 5 {
		t.Errorf("after %d changes: %s", steps, got)
	}
	if got := query(t, path, "SELECT group_concat(title, '; ') titles FROM (SELECT title FROM lcm_tui_undo ORDER BY id LIMIT 2)"); strings.Contains(got, "session files") || strings.Count(got, "import 2 messages of ") != 1 {
		t.Errorf("a record names what others did: %s", got)
	}
	if _, err := m.Plan(t.Context(), db, noReport); !errors.Is(err, ops.ErrNothing) {
		t.Errorf("planned again: %v", err)
	}
}
