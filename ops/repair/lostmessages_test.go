package repair_test

import (
	"errors"
	"testing"
	"time"

	"lcm-tui/data/change/losses"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testdb"
	"lcm-tui/ops"
	"lcm-tui/ops/repair"
)

// TestLostMessagesComeBack: what a host took out of the context by mistake stands at its
// place again, and the other items stay in order.
func TestLostMessagesComeBack(t *testing.T) {
	t.Parallel()
	path := broken(t, fakehost.Head, "host-race")
	was, db := dump(t, path), open(t, path)
	o := &repair.Op{Conversation: 1, Faults: []integrity.FaultID{integrity.CompactionLostMessages}}
	p, err := o.Plan(t.Context(), db, noReport)
	if err != nil {
		t.Fatal(err)
	}
	id, err := ops.Apply(t.Context(), db, p)
	if err != nil {
		t.Fatal(err)
	}
	items, err := lcm.Context(t.Context(), db, 1)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, it := range items[:7] {
		got = append(got, it.Ref())
	}
	want := []string{"sum_4047233931efe86e", "sum_19efce1160eed294", "sum_0ace0ace0ace0ace", "39", "40", "41", "42"}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("the context begins with %v, want %v", got, want)
		}
	}
	if _, err := o.Plan(t.Context(), db, noReport); !errors.Is(err, ops.ErrNothing) {
		t.Errorf("a second repair: %v", err)
	}
	if err := ops.Undo(t.Context(), db, id); err != nil {
		t.Fatal(err)
	}
	if now := dump(t, path); now != was {
		t.Error("undo doesn't bring back what was")
	}
}

// TestLostMessagesComeBackBesideTheHost, too: it may have chosen items around them, and what it
// deletes is nothing then.
func TestLostMessagesComeBackBesideTheHost(t *testing.T) {
	t.Parallel()
	db := open(t, broken(t, fakehost.Head, "host-race"))
	testdb.BesideHost(db)
	p, err := (&repair.Op{Conversation: 1, Faults: []integrity.FaultID{integrity.CompactionLostMessages}}).Plan(t.Context(), db, noReport)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ops.Apply(t.Context(), db, p); err != nil {
		t.Fatal(err)
	}
	if found, err := losses.Find(t.Context(), db, time.Time{}); err != nil || len(found) > 0 {
		t.Errorf("%v, %v", found, err)
	}
}

// TestLostSummaryComesBack: a summary that stands for nothing but lost messages comes back
// itself, and not what it was made of.
func TestLostSummaryComesBack(t *testing.T) {
	t.Parallel()
	path := broken(t, fakehost.Head, "host-race")
	if err := faults.Alter(path, `DELETE FROM context_items WHERE summary_id = 'sum_19efce1160eed294';
		UPDATE lcm_tui_undo SET detail = (SELECT json_object('coverage', json_object('reachable', json_object('1', group_concat(message_id) || ',37-51')))
			FROM summary_messages WHERE summary_id = 'sum_19efce1160eed294')`); err != nil {
		t.Fatal(err)
	}
	db := open(t, path)
	p, err := (&repair.Op{Conversation: 1, Faults: []integrity.FaultID{integrity.CompactionLostMessages}}).Plan(t.Context(), db, noReport)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ops.Apply(t.Context(), db, p); err != nil {
		t.Fatal(err)
	}
	items, err := lcm.Context(t.Context(), db, 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(items) < 4 || items[1].Ref() != "sum_19efce1160eed294" || items[3].Ref() != "39" {
		t.Errorf("the context is %+v", items)
	}
}
