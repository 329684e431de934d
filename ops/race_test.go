package ops_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"lcm-tui/data"
	engine "lcm-tui/engine/compact"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/ops"
	"lcm-tui/ops/compact"
	"lcm-tui/ops/transplant"
)

// TestAGapThatJustCameIsNoRoom: a host that chose the places before they were free would
// delete what comes into them. Once that is long ago it can't any more.
func TestAGapThatJustCameIsNoRoom(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lcm.db")
	h, err := fakehost.Create(path, fakehost.Head)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now().UTC()
	var old []int64
	for conv := int64(1); conv <= 2; conv++ {
		c := fakehost.Conversation{SessionKey: fmt.Sprint("agent:main:", conv), Active: true}
		if _, err := h.Conversation(c); err != nil {
			t.Fatal(err)
		}
		for i := range 12 {
			at := now.Add(time.Duration(i) * time.Second).Add(-time.Minute)
			if conv == 2 {
				at = at.Add(-24 * time.Hour)
			}
			id, err := h.Message(conv, fakehost.Message{Role: []string{"user", "assistant"}[i%2], Content: fmt.Sprintf("message %d of %d", i, conv), At: at})
			if err != nil {
				t.Fatal(err)
			}
			if conv == 2 {
				old = append(old, id)
			}
		}
	}
	if _, err := h.Leaf(2, old, "what was said the day before"); err != nil {
		t.Fatal(err)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	db := testdb.Open(t, path)
	testdb.BesideHost(db)
	config := engine.Defaults()
	config.FreshTailCount, config.LeafChunkTokens = 6, 100_000
	fold := &compact.Op{Conversation: 1, Model: model{}, Generate: true, Request: engine.Request{Mode: engine.Sweep, Config: config, Force: true}}
	p, err := fold.Plan(t.Context(), db, silent)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ops.Apply(t.Context(), db, p); err != nil {
		t.Fatal(err)
	}
	carry := &transplant.Op{Source: 2, Target: 1}
	var live *data.HostError
	if _, err := carry.Plan(t.Context(), db, silent); !errors.As(err, &live) {
		t.Fatalf("got %v", err)
	}
	db.Now = func() time.Time { return time.Now().Add(11 * time.Minute) }
	if p, err = carry.Plan(t.Context(), db, silent); err != nil {
		t.Fatal(err)
	}
	before, err := db.Context(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ops.Apply(t.Context(), db, p); err != nil {
		t.Fatal(err)
	}
	after, err := db.Context(t.Context(), 1)
	if err != nil || len(after) != len(before)+1 || after[0].Ordinal != before[0].Ordinal-1 || after[1].Ordinal != before[0].Ordinal {
		t.Errorf("the first items are at %d and %d, and the first was at %d, %v", after[0].Ordinal, after[1].Ordinal, before[0].Ordinal, err)
	}
}

func silent(int, int, string) {}
