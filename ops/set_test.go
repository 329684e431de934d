package ops_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/ops"
)

// titleWriter gives every conversation of a set a title.
type titleWriter struct{}

func (titleWriter) WriteSet(ctx context.Context, db *data.DB, p ops.Plan, detail map[string]any, report data.Report) (change.Outcome, error) {
	text, err := json.Marshal(detail)
	if err != nil {
		return change.Outcome{}, err
	}
	return change.WriteSet(ctx, db, change.SetWrite{Op: p.Op, Title: p.Title, Detail: text, Report: report, Write: func(ctx context.Context, t *change.Turn) (bool, error) {
		for _, g := range p.Set.Guards {
			if err := t.CheckConversation(ctx, g); err != nil {
				return false, err
			}
			if _, err := t.Exec(ctx, "UPDATE conversations SET title = 'set' WHERE conversation_id = ?", g.Conversation); err != nil {
				return false, err
			}
		}
		return true, nil
	}})
}

func TestSetIsAppliedByItsWriterAndRefusedWhenStale(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	db := testdb.Open(t, path)
	guard, err := change.GuardConversation(t.Context(), db, 1, false)
	if err != nil {
		t.Fatal(err)
	}
	p := ops.NewSet("title", "give titles", ops.Set{
		Verb: "title", Selector: "conversation 1", Writer: titleWriter{},
		Guards: []change.ConversationGuard{guard}, Rows: map[string]int64{"conversations": 1},
	})
	if err := ops.Check(t.Context(), db, p); err != nil || p.Empty() {
		t.Fatalf("the plan is empty: %v; %v", p.Empty(), err)
	}
	out, err := ops.ApplyPlan(t.Context(), db, p)
	if err != nil {
		t.Fatal(err)
	}
	r, _, err := change.RecordChanges(t.Context(), db, out.Record)
	var detail struct{ Set struct{ Selector string } }
	if err := errors.Join(err, json.Unmarshal(r.Detail, &detail)); err != nil || detail.Set.Selector != "conversation 1" {
		t.Errorf("the record remembers %s, %v", r.Detail, err)
	}
	if _, err := change.Write(t.Context(), db, change.Batch{Op: "test", Title: "archive", Changes: []change.Change{change.Update(db, "conversations", data.Row{"conversation_id": int64(1), "active": int64(1)}, data.Row{"active": int64(0)})}}); err != nil {
		t.Fatal(err)
	}
	var stale *data.StaleError
	if err := ops.Check(t.Context(), db, p); !errors.As(err, &stale) {
		t.Errorf("the check says %v", err)
	}
	if _, err := ops.ApplyPlan(t.Context(), db, p); !errors.As(err, &stale) {
		t.Errorf("the stale plan ended with %v", err)
	}
}

func TestPlanOfSetHasItsFieldsInJSON(t *testing.T) {
	t.Parallel()
	text, err := json.Marshal(ops.NewSet("prune", "x", ops.Set{Verb: "copies"}))
	var fields map[string]json.RawMessage
	if err := errors.Join(err, json.Unmarshal(text, &fields)); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"changes": "[]", "refused": "[]", "forecast": `{"before":0,"after":0}`} {
		if string(fields[name]) != want {
			t.Errorf("%s is %s, want %s", name, fields[name], want)
		}
	}
	if text, _ = json.Marshal(ops.New("x", "y")); json.Unmarshal(text, &fields) != nil || string(text) == "" {
		t.Fatal("no JSON")
	}
	var other map[string]json.RawMessage
	if err := json.Unmarshal(text, &other); err != nil || other["refused"] != nil || other["set"] != nil {
		t.Errorf("a plan of rows has %s and %s, %v", other["refused"], other["set"], err)
	}
}

// TestASetOfWhichAllIsRefusedWritesNothing: a plan that only says what it leaves as it is has nothing to write,
// and the error says why.
func TestASetOfWhichAllIsRefusedWritesNothing(t *testing.T) {
	t.Parallel()
	db := testdb.Open(t, testdb.Sample(t, fakehost.Head))
	p := ops.NewSet("title", "give titles", ops.Set{Verb: "title", Selector: "conversation 1", Writer: titleWriter{}})
	p.RefusedConversations = []ops.Refusal{{Conversation: 1, Reason: "it may go on"}, {Conversation: 2, Reason: "it may go on"}}
	out, err := ops.ApplyPlan(t.Context(), db, p)
	if !errors.Is(err, ops.ErrNothing) || !strings.Contains(err.Error(), "conversation 1 is left as it is: it may go on; and 1 other") {
		t.Errorf("got %v", err)
	}
	if out.Record != 0 {
		t.Errorf("record %d was written", out.Record)
	}
}
