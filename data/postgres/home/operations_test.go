package home_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	engine "lcm-tui/engine/compact"
	"lcm-tui/engine/lineage"
	"lcm-tui/engine/regenerate"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testhome"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/backfill"
	"lcm-tui/ops/compact"
	"lcm-tui/ops/dissolve"
	"lcm-tui/ops/rewrite"
	"lcm-tui/ops/sessionkey"
	"lcm-tui/ops/transplant"
)

func noReport(int, int, string) {}

// played is a model that tells what it was asked.
type played struct{}

func (played) Name() string { return "test/played" }

func (p played) Summarize(_ context.Context, r summarize.Request) (summarize.Reply, error) {
	return summarize.Reply{Text: fmt.Sprintf("%s %d of %d", r.Kind, r.Depth, len(r.Source)), Model: p.Name()}, nil
}

// sameClock makes ids and times of a handle those of another one.
func sameClock(db *data.DB) *data.DB {
	n := 0
	db.Now = func() time.Time { return time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC) }
	db.NewID = func() string { n++; return fmt.Sprintf("%016x", n) }
	return db
}

// condensed returns the first condensed summary in the context of conversation 1.
func condensed(t *testing.T, db *data.DB) string {
	t.Helper()
	g, err := lineage.Load(t.Context(), db, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range g.Nodes() {
		if n.InContext() && n.Condensed() {
			return n.ID
		}
	}
	t.Fatal("no condensed summary is in the context")
	return ""
}

// transcript writes a session file with n messages.
func transcript(t *testing.T, n int) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(`{"type":"session","version":3,"id":"0d6d2f4e-0000-4000-8000-000000000001","timestamp":"2026-11-01T10:00:00.000Z","cwd":"/x"}` + "\n")
	for i := range n {
		role := []string{"user", "assistant"}[i%2]
		fmt.Fprintf(&b, `{"type":"message","id":"e%06d","timestamp":"2026-11-01T10:00:00.000Z","message":{"role":%q,"content":[{"type":"text","text":"message %d, with \u0000 and a pool"}],"timestamp":%d}}`+"\n",
			i, role, i, 1793527200000+int64(i))
	}
	path := filepath.Join(t.TempDir(), "session.jsonl")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// operations are those that are done on a file and on a home.
var operations = map[string]func(t *testing.T, db *data.DB, session string) ops.Op{
	"dissolve": func(t *testing.T, db *data.DB, _ string) ops.Op {
		return &dissolve.Op{Conversation: 1, Summary: condensed(t, db)}
	},
	"dissolve for good": func(t *testing.T, db *data.DB, _ string) ops.Op {
		return &dissolve.Op{Conversation: 1, Summary: condensed(t, db), Purge: true}
	},
	"compact": func(*testing.T, *data.DB, string) ops.Op {
		c := engine.Defaults()
		c.FreshTailCount, c.LeafChunkTokens, c.LeafMinFanout, c.CondensedMinFanout = 2, 100, 2, 2
		c.CondensedTargetTokens, c.SummaryPrefixTargetTokens = 10, 1
		return &compact.Op{Conversation: 1, Model: played{}, Generate: true, Request: engine.Request{Mode: engine.Sweep, Config: c, Force: true}}
	},
	"rewrite": func(t *testing.T, db *data.DB, _ string) ops.Op {
		return &rewrite.Op{
			Conversation: 1, Pick: rewrite.Pick{Summary: condensed(t, db)},
			Options: regenerate.Options{Model: played{}, Ask: true, LeafTarget: 2400, CondensedTarget: 2000, Job: summarize.Job{Overage: 3}},
		}
	},
	"transplant": func(*testing.T, *data.DB, string) ops.Op { return &transplant.Op{Source: 2, Target: 1} },
	"transplant with messages": func(*testing.T, *data.DB, string) ops.Op {
		return &transplant.Op{Source: 2, Target: 1, Messages: true}
	},
	"key rename": func(*testing.T, *data.DB, string) ops.Op {
		return &sessionkey.Rename{Conversation: 1, Key: "agent:main:renamed"}
	},
	"key archive": func(*testing.T, *data.DB, string) ops.Op {
		return &sessionkey.Archive{Conversations: []int64{1}, Ended: true}
	},
	"key reset": func(*testing.T, *data.DB, string) ops.Op { return &sessionkey.Reset{Conversation: 1} },
	"backfill":  func(_ *testing.T, _ *data.DB, session string) ops.Op { return &backfill.Op{Path: session, Whole: true} },
}

// TestOperationsDoAtAHomeWhatTheyDoOnAFile: they leave equal rows, their undo leaves the rows that were there, and an old plan is stale.
func TestOperationsDoAtAHomeWhatTheyDoOnAFile(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	compareOperations(t, testdb.Sample(t, fakehost.Head), operations)
}

// compareOperations does operations on a file and on a home that is filled from it.
func compareOperations(t *testing.T, path string, all map[string]func(t *testing.T, db *data.DB, session string) ops.Op) {
	t.Helper()
	address := testhome.New(t)
	testhome.Fill(t, address, path)
	file, home := testdb.Open(t, path), testhome.Open(t, address)
	was := testhome.Dump(t, file)
	if diff := cmp.Diff(was, testhome.Dump(t, home)); diff != "" {
		t.Fatalf("filled otherwise: %s", diff)
	}
	session := transcript(t, 60)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		var dumps [2]string
		for i, db := range []*data.DB{sameClock(file), sameClock(home)} {
			dumps[i] = roundTrip(t, name, db, address, was, func() ops.Op { return all[name](t, db, session) })
		}
		checkWords(t, "after the undo of "+name, address)
		if diff := cmp.Diff(dumps[0], dumps[1]); diff != "" {
			t.Errorf("%s: the home differs from the file: %s", name, diff)
		}
	}
}

// TestALargeWriteIsMadeInPartsAtAHome: parts and their undo leave the rows that they leave on a file.
func TestALargeWriteIsMadeInPartsAtAHome(t *testing.T) {
	t.Parallel()
	path, address := testdb.Sample(t, fakehost.Head), testhome.New(t)
	testhome.Fill(t, address, path)
	file, home := sameClock(testdb.Open(t, path)), sameClock(testhome.Open(t, address))
	was, session := testhome.Dump(t, file), transcript(t, 60)
	var dumps [2]string
	for i, db := range []*data.DB{file, home} {
		db.PartRows = 40
		dumps[i] = roundTrip(t, "backfill", db, address, was, func() ops.Op { return &backfill.Op{Path: session, Whole: true} })
	}
	checkWords(t, "after the undo of a backfill in parts", address)
	if diff := cmp.Diff(dumps[0], dumps[1]); diff != "" {
		t.Errorf("the home differs from the file: %s", diff)
	}
}

// TestAWriteInPartsThatWasInterruptedIsKnownAtAHome: its messages are left out until it is undone.
func TestAWriteInPartsThatWasInterruptedIsKnownAtAHome(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	address := testhome.New(t)
	db := testhome.Open(t, address)
	db.PartRows = 40
	p, err := (&backfill.Op{Path: transcript(t, 60), Whole: true}).Plan(t.Context(), db, noReport)
	testdb.Must(t, err)
	_, err = ops.Apply(t.Context(), db, p)
	testdb.Must(t, err)
	testdb.Must(t, connect(t, address).Script(t.Context(), "UPDATE home.lcm_tui_undo SET title = title || ' (not finished)'"))
	unfinished, err := change.UnfinishedChanges(t.Context(), db)
	if err != nil || len(unfinished) != 1 || unfinished[0].HalfUndone {
		t.Errorf("%v, %v", unfinished, err)
	}
	if messages, err := change.UnfinishedMessages(t.Context(), db); err != nil || len(messages) != 60 {
		t.Errorf("%d messages are left out, %v", len(messages), err)
	}
}

// roundTrip plans, applies, and undoes an operation on a file or the home of an address, and returns the rows after it.
func roundTrip(t *testing.T, name string, db *data.DB, address, was string, operation func() ops.Op) string {
	t.Helper()
	p, err := operation().Plan(t.Context(), db, noReport)
	if err != nil {
		t.Fatalf("plan %s: %v", name, err)
	}
	id, err := ops.Apply(t.Context(), db, p)
	if err != nil {
		t.Fatalf("apply %s: %v", name, err)
	}
	after := testhome.Dump(t, db)
	if db.IsHome() {
		checkWords(t, "after "+name, address)
	}
	if after == was {
		t.Errorf("%s has changed nothing", name)
	}
	var stale *data.StaleError
	if _, err := ops.Apply(t.Context(), db, p); !errors.As(err, &stale) {
		t.Errorf("the old plan of %s gave %v", name, err)
	}
	all, err := change.History(t.Context(), db)
	if err != nil || len(all) == 0 || all[0].ID != id {
		t.Fatalf("history: %+v, %v", all, err)
	}
	if err := ops.Undo(t.Context(), db, id); err != nil {
		t.Fatalf("undo %s: %v", name, err)
	}
	if diff := cmp.Diff(was, testhome.Dump(t, db)); diff != "" {
		t.Errorf("after undo of %s: %s", name, diff)
	}
	if _, err := lcm.Conversations(t.Context(), db); err != nil {
		t.Error(err)
	}
	return after
}
