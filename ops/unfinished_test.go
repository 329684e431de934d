package ops_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/outcome"
	"lcm-tui/internal/testdb"
	"lcm-tui/ops"
)

// TestAnUnfinishedPlanKeepsItsFiles: where a large plan is cancelled behind its core, the
// rows that name its files are in place, so the files are too, and nothing says that
// nothing was changed.
func TestAnUnfinishedPlanKeepsItsFiles(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	h, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	const many = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2100)
		INSERT INTO messages (conversation_id, seq, role, content, token_count) SELECT 1, -i, 'user', 'forgotten', 3 FROM n`
	if err := errors.Join(h.Exec(many), h.Close()); err != nil {
		t.Fatal(err)
	}
	db := testdb.Open(t, path)
	p, folder := ops.New("test", "forget"), t.TempDir()
	rows, err := data.Images(t.Context(), db, "messages", data.Row{"content": "forgotten"})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		p.Changes = append(p.Changes, change.Delete(db, "messages", r))
	}
	to := filepath.Join(folder, "1", "file_5e5e5e5e5e5e5e5e.txt")
	p.Changes = append(p.Changes, change.Insert(db, "large_files", data.Row{
		"file_id": "file_5e5e5e5e5e5e5e5e", "conversation_id": int64(1), "storage_uri": to, "created_at": "2026-01-01 00:00:00",
	}))
	p.Files = []data.NewFile{{ID: "file_5e5e5e5e5e5e5e5e", Body: "a body", To: to, Into: folder, Bytes: 6}}
	p.Backup = filepath.Join(folder, "backup.db")

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	written := "SELECT count(*) FROM large_files WHERE file_id = 'file_5e5e5e5e5e5e5e5e'"
	db.Step = func(step string) {
		if step == data.StepCommitted { // The core is written, and its deletions aren't.
			cancel()
		}
	}
	var unfinished *change.UnfinishedError
	ctx, changed := outcome.With(ctx)
	if _, err = ops.Apply(ctx, db, p); !errors.As(err, &unfinished) || changed.Explain(err).Error() != err.Error() {
		t.Fatal(err)
	}
	if s := changed.Text(); s != "a part was written" {
		t.Errorf("it says: %s", s)
	}
	if body, err := os.ReadFile(to); err != nil || string(body) != "a body" {
		t.Errorf("the file holds %q, %v", body, err)
	}
	if n, err := testdb.Count(path, written); err != nil || n != 1 {
		t.Errorf("%d rows name it, %v", n, err)
	}
}
