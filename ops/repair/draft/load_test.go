package draft_test

import (
	"slices"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testdb"
	"lcm-tui/ops/repair/draft"
)

// load reads conversation 1 of a sample with faults.
func load(t *testing.T, path string, missing ...string) (*draft.Conversation, *draft.Rows, *data.DB) {
	t.Helper()
	db := testdb.Open(t, path)
	rows := draft.NewRows(db.Schema())
	c, err := draft.Load(t.Context(), db, 1, missing, rows)
	if err != nil {
		t.Fatal(err)
	}
	return c, rows, db
}

// TestASoundConversation loads whole, and writes nothing back.
func TestASoundConversation(t *testing.T) {
	t.Parallel()
	c, rows, db := load(t, testdb.Sample(t, fakehost.Head))
	stored, err := lcm.Summaries(t.Context(), db, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Graph.Summaries(); len(got) != len(stored) || len(got) == 0 {
		t.Errorf("%d of %d summaries", len(got), len(stored))
	}
	reached := c.Context.ReachedMessages()
	for h := range c.Messages.All() {
		if c.Messages.IsVisible(h.ID) && !reached[h.ID] {
			t.Errorf("message %d isn't reached", h.ID)
		}
	}
	for _, s := range c.Graph.Summaries() {
		if s.WasInContext != c.Context.HasSummary(s.ID) || s.HadDerived != (len(c.Graph.Derived(s.ID)) > 0) {
			t.Errorf("%s: in the context %v, source of another %v", s.ID, s.WasInContext, s.HadDerived)
		}
		if len(s.Sources())+len(s.Messages()) == 0 {
			t.Errorf("%s has no sources", s.ID)
		}
	}
	c.Graph.WriteEdges()
	if got := describe(rows.Changes()); len(got) != 0 || c.Context.IsChanged() {
		t.Errorf("it changes: %q", got)
	}
}

// TestLinksOfMissingSummaries are read where the context or the caller names these, also
// through other missing ones.
func TestLinksOfMissingSummaries(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	if err := faults.Alter(path, `PRAGMA foreign_keys = OFF;
		INSERT INTO summary_parents (summary_id, parent_summary_id, ordinal) VALUES ('sum_lost', 'sum_below', 0);
		INSERT INTO summary_messages (summary_id, message_id, ordinal) VALUES ('sum_below', 3, 0), ('sum_other', 4, 0);
		INSERT INTO context_items (conversation_id, ordinal, item_type, summary_id) VALUES (1, 900, 'summary', 'sum_lost')`); err != nil {
		t.Fatal(err)
	}
	c, _, _ := load(t, path)
	if edges := c.Graph.Edges("sum_lost"); len(edges) != 1 || !c.Graph.IsDangling(edges[0]) {
		t.Errorf("sum_lost: %+v", edges)
	}
	if edges := c.Graph.Edges("sum_below"); len(edges) != 1 || edges[0].Message != 3 {
		t.Errorf("sum_below: %+v", edges)
	}
	if edges := c.Graph.Edges("sum_other"); len(edges) != 0 {
		t.Errorf("sum_other, which nothing names: %+v", edges)
	}
	named, _, _ := load(t, path, "sum_other")
	if edges := named.Graph.Edges("sum_other"); len(edges) != 1 {
		t.Errorf("sum_other, by name: %+v", edges)
	}
}

// TestLinksToOtherConversations differ from links to nothing.
func TestLinksToOtherConversations(t *testing.T) {
	t.Parallel()
	c, _, _ := load(t, testdb.Sample(t, fakehost.Head, "cross-conversation", "dangling-edges"))
	other, lost := 0, 0
	for _, e := range c.Graph.AllEdges() {
		if c.Graph.LeadsElsewhere(e) {
			other++
		}
		if c.Graph.IsDangling(e) {
			lost++
		}
	}
	if other == 0 || lost == 0 {
		t.Errorf("%d lead to another conversation, %d nowhere", other, lost)
	}
}

// TestEdgesAreWritten with ordinals from 0 where one came or went, and as they are elsewhere.
func TestEdgesAreWritten(t *testing.T) {
	t.Parallel()
	c, rows, _ := load(t, testdb.Sample(t, fakehost.Head))
	i := slices.IndexFunc(c.Graph.Summaries(), func(s *draft.Summary) bool { return len(s.Messages()) > 2 })
	leaf := c.Graph.Summaries()[i]
	edges := c.Graph.Edges(leaf.ID)
	c.Graph.Unlink(edges[0])
	free := int64(0)
	for h := range c.Messages.All() {
		if len(c.Graph.Covering(h.ID)) == 0 {
			free = h.ID
		}
	}
	c.Graph.LinkMessage(leaf.ID, free)
	c.Graph.WriteEdges()
	got := rows.Changes()
	if len(got) != len(edges)+1 {
		t.Errorf("%d changes for %d edges: %q", len(got), len(edges), describe(got))
	}
	next := int64(0)
	for _, edit := range got {
		if !strings.HasPrefix(edit.Label(), draft.MessageTable+" "+leaf.ID) {
			t.Errorf("%s changes too", edit.Label())
		}
		if edit.After == nil {
			continue
		}
		if at := edit.After["ordinal"]; at != next {
			t.Errorf("%s has the ordinal %v, want %d", edit.Label(), at, next)
		}
		next++
	}
}

// TestTheFileItself has no messages, summaries or items.
func TestTheFileItself(t *testing.T) {
	t.Parallel()
	db := sample(t)
	c := draft.Empty(db, draft.NewRows(db.Schema()))
	if c.ID != 0 || c.Messages.Len() != 0 || len(c.Graph.Summaries()) != 0 || len(c.Context.Items()) != 0 || c.Graph.HasNewEdges() {
		t.Errorf("%+v", c)
	}
}
