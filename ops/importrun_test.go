package ops_test

import (
	"fmt"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/ops"
)

// TestImportsOfOneFileStandTogether: those of one hour, whatever was written between them; others stay alone.
func TestImportsOfOneFileStandTogether(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 2, 1, 10, 0, 0, 0, time.UTC)
	record := func(id int64, minute int, op, title string) change.Record {
		return change.Record{ID: id, Op: op, Title: title, AppliedAt: data.Time{Time: start.Add(time.Duration(minute) * time.Minute)}, UndoneAt: data.Time{Null: true}}
	}
	undone := record(7, 65, "follow", "import 9 messages of a.jsonl into conversation 1")
	undone.UndoneAt = data.Time{Time: start, Raw: "x"}
	got := ""
	for _, r := range ops.JoinImports([]change.Record{
		record(9, 100, "follow", "import 1 message of a.jsonl into conversation 1"),
		record(8, 70, "dissolve", "dissolve sum_1"),
		undone,
		record(6, 60, "follow", "import 4 messages of b.jsonl into conversation 2"),
		record(5, 45, "follow", "import 2 messages of a.jsonl into conversation 1"),
		record(4, 40, "follow", "import 3 messages of a.jsonl into a new conversation 1"),
		record(3, 39, "follow", "import 5 messages of a.jsonl into conversation 1"),
		record(2, 38, "backfill", "import 5 messages of a.jsonl into conversation 1"),
		record(1, 0, "follow", "archive conversation 1: its session was cleared"),
	}) {
		got += fmt.Sprintf("%d+%d %s\n", r.ID, len(r.Earlier), r.Title())
	}
	want := `9+2 import 6 messages in 3 parts of a.jsonl into conversation 1
8+0 dissolve sum_1
7+0 import 9 messages of a.jsonl into conversation 1
6+0 import 4 messages of b.jsonl into conversation 2
3+0 import 5 messages of a.jsonl into conversation 1
2+0 import 5 messages of a.jsonl into conversation 1
1+0 archive conversation 1: its session was cleared
`
	if got != want {
		t.Errorf("got\n%sexpected\n%s", got, want)
	}
}
