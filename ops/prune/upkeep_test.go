package prune_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"lcm-tui/data/change"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testdb"
	"lcm-tui/ops"
	"lcm-tui/ops/prune"
	"lcm-tui/ops/prune/removal"
)

func quietly(int, int, string) {}

// putFile makes a file that was changed two days ago, or now.
func putFile(t *testing.T, path string, old bool) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil {
		err = os.WriteFile(path, []byte("a payload"), 0o600)
	}
	if at := time.Now().Add(-48 * time.Hour); err == nil && old {
		err = os.Chtimes(path, at, at)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func isThere(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func TestFilesWithoutARowMoveIntoTheTrashAndBack(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	if err := faults.Alter(path, "UPDATE summaries SET content = content || ' see file_00000000000000cc' WHERE summary_id = (SELECT min(summary_id) FROM summaries)"); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(filepath.Dir(path), "lcm-files")
	in := func(name string) string { return filepath.Join(folder, "2", name) }
	orphan, fresh, named, other := in("file_00000000000000aa.txt"), in("file_00000000000000bb.txt"), in("file_00000000000000cc.txt"), in("notes.txt")
	for _, p := range []string{orphan, fresh, named, other} {
		putFile(t, p, p != fresh)
	}
	db := testdb.Open(t, path)
	before := testdb.Dump(t, path)
	p, err := (&prune.FilesOp{Folder: folder}).Plan(t.Context(), db, quietly)
	if err != nil || p.Empty() || len(p.Set.Files) != 1 || p.Set.Files[0].Path != orphan {
		t.Fatalf("the plan is about %+v, %v", p.Set, err)
	}
	record, err := ops.Apply(t.Context(), db, p)
	if err != nil {
		t.Fatal(err)
	}
	if isThere(orphan) || !isThere(fresh) || !isThere(named) || !isThere(other) {
		t.Error("other files than the one without a row were moved")
	}
	if _, err := (&prune.FilesOp{Folder: folder}).Plan(t.Context(), db, quietly); err != nil {
		t.Error(err)
	}
	if err := ops.Undo(t.Context(), db, record); err != nil {
		t.Fatal(err)
	}
	if !isThere(orphan) || testdb.Dump(t, path) != before {
		t.Error("the file isn't where it was, or rows changed")
	}
}

func TestOldRecordsAndTrashAreDeletedForGood(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	db := testdb.Open(t, path)
	g, err := change.GuardConversation(t.Context(), db, 2, false)
	if err != nil {
		t.Fatal(err)
	}
	out, err := removal.RemoveConversations(t.Context(), db, removal.Request{Title: "prune conversations", Guards: []change.ConversationGuard{g}}, map[string]any{}, quietly)
	if err != nil {
		t.Fatal(err)
	}
	before := testdb.Dump(t, path)
	old, err := (&prune.HistoryOp{Before: db.Now().Add(-time.Hour)}).Plan(t.Context(), db, quietly)
	if err != nil || !old.Empty() {
		t.Errorf("nothing is that old, but the plan is %+v, %v", old.Set, err)
	}
	p, err := (&prune.HistoryOp{Before: db.Now().Add(time.Hour)}).Plan(t.Context(), db, quietly)
	if err != nil || len(p.Set.Files) != 1 || p.Set.Rows["lcm_tui_undo"] != 1 {
		t.Fatalf("the plan is %+v, %v", p.Set, err)
	}
	record, err := ops.Apply(t.Context(), db, p)
	if err != nil {
		t.Fatal(err)
	}
	if isThere(out.Trash.Path) || testdb.Dump(t, path) != before {
		t.Error("the trash is still there, or rows changed")
	}
	if n, err := testdb.Count(path, fmt.Sprintf("SELECT count(*) FROM lcm_tui_undo WHERE id <> %d", record)); err != nil || n != 0 {
		t.Errorf("%d old records are left, %v", n, err)
	}
	if err := ops.Undo(t.Context(), db, record); !errors.Is(err, ops.ErrHistory) {
		t.Errorf("undo of it: %v", err)
	}
}

// TestTheTrashOfARecordThatStaysIsKept: the trash is written before the record, and the time that is asked for may lie between
// them.
func TestTheTrashOfARecordThatStaysIsKept(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	before := testdb.Dump(t, path)
	db := testdb.Open(t, path)
	now := time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)
	db.Now = func() time.Time { now = now.Add(time.Minute); return now }
	g, err := change.GuardConversation(t.Context(), db, 2, false)
	if err != nil {
		t.Fatal(err)
	}
	out, err := removal.RemoveConversations(t.Context(), db, removal.Request{Title: "prune conversations", Guards: []change.ConversationGuard{g}}, map[string]any{}, quietly)
	if err != nil {
		t.Fatal(err)
	}
	r, _, err := change.RecordChanges(t.Context(), db, out.Record)
	if err != nil {
		t.Fatal(err)
	}
	p, err := (&prune.HistoryOp{Before: r.AppliedAt.Time}).Plan(t.Context(), db, quietly)
	if err != nil || len(p.Set.Files) > 0 {
		t.Errorf("%+v of the trash would go, %v", p.Set.Files, err)
	}
	if err := ops.Undo(t.Context(), db, out.Record); err != nil || testdb.Dump(t, path) != before {
		t.Errorf("the undo: %v", err)
	}
	if p, err = (&prune.HistoryOp{Before: r.AppliedAt.Time}).Plan(t.Context(), db, quietly); err != nil || len(p.Set.Files) != 1 {
		t.Errorf("once it is undone: %+v, %v", p.Set.Files, err)
	}
}
