package prune_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/prune"
	"lcm-tui/ops/prune/selector"
)

// archivedOn puts a fixture into a folder, with all of its conversations archived.
func archivedOn(t *testing.T, folder, fixture string) (path string) {
	t.Helper()
	path = filepath.Join(folder, "lcm.db")
	content, err := os.ReadFile(testdb.Fixture(t, fixture))
	testdb.Must(t, err)
	testdb.Must(t, os.WriteFile(path, content, 0o600))
	exec(t, path, "UPDATE conversations SET active = 0, archived_at = '2026-01-01 00:00:00', updated_at = '2026-01-01 00:00:00'")
	return path
}

// TestFullDiskStopsAPruneThatGoesOnLater: what was written stays, the record says how far it is, the
// trash has all that is missing, and undo of both runs restores every byte.
func TestFullDiskStopsAPruneThatGoesOnLater(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	folder := testdb.Disk(t, 96<<20)
	path := archivedOn(t, folder, "v0.15.3/rich.db")
	before, db := testdb.Dump(t, path), open(t, path)
	o := prune.Op{Verb: prune.Conversations, Selector: selector.Selector{Archived: true}}
	filler := filepath.Join(folder, "filler")
	_, err := ops.ApplyPlan(t.Context(), db, plan(t, db, o), func(_, _ int, what string) {
		if strings.HasPrefix(what, "writing conversations") {
			fill(t, filler)
		}
	})
	var stopped *change.StoppedError
	if !errors.As(err, &stopped) {
		t.Fatalf("with a full disk it says %v", err)
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	out := apply(t, db, plan(t, db, o))
	if n, err := testdb.Count(path, "SELECT count(*) FROM conversations"); err != nil || n != 0 {
		t.Errorf("after the second run %d conversations are left, %v", n, err)
	}
	for _, record := range []int64{out.Record, stopped.Record} {
		if err := ops.Undo(t.Context(), db, record); err != nil {
			t.Fatal(err)
		}
	}
	if testdb.Dump(t, path) != before {
		t.Error("undo of both runs didn't restore every byte")
	}
}

// fill takes all space that a disk has left.
func fill(t *testing.T, path string) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		t.Error(err)
		return
	}
	defer f.Close()
	_, _ = io.CopyN(f, zeros{}, 1<<30)
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { return len(b), nil }

// TestTrashThatCantBeWrittenToStopsAPrune: before anything is changed.
func TestTrashThatCantBeWrittenToStopsAPrune(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path := testdb.Fixture(t, "hard/mixed1.db")
	exec(t, path, "UPDATE conversations SET active = 0, archived_at = '2026-01-01 00:00:00', updated_at = '2026-01-01 00:00:00'")
	before, db := testdb.Dump(t, path), open(t, path)
	if err := os.WriteFile(data.TrashFolder(path), []byte("no folder"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, o := range []prune.Op{
		{Verb: prune.Conversations, Selector: selector.Selector{Archived: true}},
		{Verb: prune.Text, Selector: selector.Selector{Archived: true}, Uncovered: true},
	} {
		if _, err := ops.ApplyPlan(t.Context(), db, plan(t, db, o)); err == nil || !strings.HasPrefix(err.Error(), "the trash ") {
			t.Errorf("prune %s says %v", o.Verb, err)
		}
	}
	if testdb.Dump(t, path) != before {
		t.Error("the file changed")
	}
}

// TestAConversationThatChangesMeanwhileIsLeftAndNamed: the others are written.
func TestAConversationThatChangesMeanwhileIsLeftAndNamed(t *testing.T) {
	t.Parallel()
	for _, o := range []prune.Op{
		{Verb: prune.Conversations, Selector: selector.Selector{Archived: true}},
		{Verb: prune.Text, Selector: selector.Selector{Archived: true}, Uncovered: true},
		{Verb: prune.Copies, Selector: selector.Selector{Archived: true}},
	} {
		path := testdb.Fixture(t, "hard/mixed1.db")
		exec(t, path, "UPDATE conversations SET active = 0, archived_at = '2026-01-01 00:00:00', updated_at = '2026-01-01 00:00:00'")
		db := open(t, path)
		p := plan(t, db, o)
		inner := p.Set.Writer
		p.Set.Writer = changesFirst{inner, func() {
			exec(t, path, "UPDATE conversations SET session_key = 'agent:main:other' WHERE conversation_id = 1")
		}}
		before := testdb.Rows(t, path, "SELECT message_id, content FROM messages WHERE conversation_id = 1")
		out := apply(t, db, p)
		if warnings := db.Warnings(); len(warnings) != 1 || hint.Of(warnings[0]) == "" || !strings.Contains(warnings[0].Error(), "conversation 1 was left") {
			t.Errorf("prune %s: it warns %v", o.Verb, warnings)
		}
		if is := testdb.Rows(t, path, "SELECT message_id, content FROM messages WHERE conversation_id = 1"); !slices.Equal(is, before) || out.Record == 0 {
			t.Errorf("prune %s: the conversation isn't as it was", o.Verb)
		}
		if again := plan(t, db, o); len(again.Set.Conversations) != 1 {
			t.Errorf("prune %s: a second run plans %d conversations", o.Verb, len(again.Set.Conversations))
		}
	}
}

// changesFirst is a writer before which something happens.
type changesFirst struct {
	ops.SetWriter
	change func()
}

func (w changesFirst) WriteSet(ctx context.Context, db *data.DB, p ops.Plan, detail map[string]any, report data.Report) (change.Outcome, error) {
	w.change()
	return w.SetWriter.WriteSet(ctx, db, p, detail, report)
}

// TestWithoutRoomNoPruneStarts: the error is a full disk, and says how much is needed where.
func TestWithoutRoomNoPruneStarts(t *testing.T) {
	t.Parallel()
	disk := testdb.Disk(t, 8<<20)
	path := archivedOn(t, disk, "hard/mixed1.db")
	before, db := testdb.Dump(t, path), open(t, path)
	_, err := ops.ApplyPlan(t.Context(), db, plan(t, db, prune.Op{Verb: prune.Conversations, Selector: selector.Selector{Archived: true}}))
	if !errors.Is(err, data.ErrFull) || !strings.Contains(err.Error(), "B of free disk are needed in "+disk+",") || !strings.Contains(hint.Of(err), "select less") {
		t.Errorf("with too little room it says %v", err)
	}
	if strings.Contains(hint.OnScreen(err), "lcm-tui") {
		t.Errorf("a screen names a command: %s", hint.OnScreen(err))
	}
	if testdb.Dump(t, path) != before {
		t.Error("the file changed")
	}
}
