package lcm_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testlength"
)

// TestPlacesOfAContext say what a model would see at each without reading a text: nothing of
// a row that is missing, or of an answer of blank text without parts.
func TestPlacesOfAContext(t *testing.T) {
	t.Parallel()
	h, db := beside(t, fakehost.Head)
	leaf := finish(t, h, choose(t, h, 0, 3))
	for _, q := range []string{
		"PRAGMA foreign_keys = OFF",
		"DELETE FROM message_parts WHERE message_id IN (5, 6, 8)",
		"UPDATE messages SET content = char(9, 8239) WHERE message_id IN (5, 6)", // Of the user, and of the assistant.
		"DELETE FROM messages WHERE message_id = 7",
		"INSERT INTO context_items (conversation_id, ordinal, item_type, summary_id) VALUES (1, 99, 'summary', 'sum_nowhere')",
	} {
		must(t, h.Exec(q))
	}
	places, err := lcm.ContextPlaces(t.Context(), db, 1)
	must(t, err)
	var got []string
	for _, p := range slices.Concat(places[:5], places[len(places)-1:]) {
		s := fmt.Sprint(p.Summary, p.Message)
		if p.Missing {
			s += " missing"
		}
		if p.Blank {
			s += " blank"
		}
		got = append(got, s)
	}
	want := []string{leaf + "0", "5", "6 blank", "7 missing", "8", "sum_nowhere0 missing"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestTheTextsOfPlaces: messages with parts have their texts there, those without have their
// own; summaries come with what they were made of; and what is missing is left out.
func TestTheTextsOfPlaces(t *testing.T) {
	t.Parallel()
	h, db := beside(t, fakehost.Head)
	leaf := finish(t, h, choose(t, h, 0, 3))
	for _, q := range []string{
		"INSERT INTO summaries (summary_id, conversation_id, kind, depth, content, token_count) VALUES ('sum_00000000000000c3', 1, 'condensed', 1, 'deeper', 5)",
		"INSERT INTO summary_parents (summary_id, parent_summary_id, ordinal) VALUES ('sum_00000000000000c3', '" + leaf + "', 0)",
		"UPDATE context_items SET summary_id = 'sum_00000000000000c3' WHERE summary_id IS NOT NULL",
		"DELETE FROM message_parts WHERE message_id IN (5, 6)",
		"INSERT INTO message_parts (part_id, message_id, session_id, part_type, ordinal, tool_call_id, tool_name, tool_output) VALUES ('p6', 6, 's', 'tool', 0, 'call_1', 'read', 'found')",
		"UPDATE messages SET openclaw_sender_metadata = '{}' WHERE message_id = 6",
	} {
		must(t, h.Exec(q))
	}
	places, err := lcm.ContextPlaces(t.Context(), db, 1)
	must(t, err)
	s, err := lcm.ReadContextSequence(t.Context(), db, 1, places[:3])
	must(t, err)
	if got := s.Sources["sum_00000000000000c3"]; len(s.Summaries) != 1 || !slices.Equal(got, []string{leaf}) || s.Summaries["sum_00000000000000c3"].Content != "deeper" {
		t.Errorf("summaries %v of %v", s.Summaries, s.Sources)
	}
	if m := s.Messages[5]; m == nil || m.Content.Text != "message 4" || len(m.Parts) != 0 {
		t.Errorf("message 5: %+v", m)
	}
	if m := s.Messages[6]; m == nil || !m.Content.Null || m.Sender.Text != "{}" || len(m.Parts) != 1 || m.Parts[0].ToolOutput.Text != "found" || !m.Parts[0].Text.Null {
		t.Errorf("message 6: %+v", m)
	}
	if len(s.Messages) != 2 {
		t.Errorf("%d messages", len(s.Messages))
	}
	if at, err := lcm.OrdinalsNamingCalls(t.Context(), db, 1, []string{"call_1", "call_2"}); err != nil || len(at) != 1 || at[0] != places[2].Ordinal {
		t.Errorf("the call is named at %v, %v", at, err)
	}
	if s, err := lcm.ReadContextSequence(t.Context(), db, 1, nil); err != nil || len(s.Messages) > 0 {
		t.Errorf("of no places: %+v, %v", s, err)
	}
}

// TestSourceTexts: a plan whose new texts were made of others is stale once one of these says
// something else, or is gone; a text that nobody read makes no difference.
func TestSourceTexts(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for name, c := range map[string]struct {
		change string
		stale  bool
	}{
		"nothing":                      {"SELECT 1", false},
		"a message that was read":      {"UPDATE messages SET content = 'another' WHERE message_id = 2", true},
		"its sender":                   {"UPDATE messages SET openclaw_sender_metadata = '{}' WHERE message_id = 2", true},
		"its part":                     {"UPDATE message_parts SET text_content = 'another' WHERE message_id = 2", true},
		"its token count":              {"UPDATE messages SET token_count = 99 WHERE message_id = 2", false},
		"a message that wasn't read":   {"UPDATE messages SET content = 'another' WHERE message_id = 3", false},
		"the summary that was read":    {"UPDATE summaries SET content = 'another' WHERE kind = 'leaf'", true},
		"the summary's model":          {"UPDATE summaries SET model = 'another' WHERE kind = 'leaf'", false},
		"a summary that came since":    {"INSERT INTO summaries (summary_id, conversation_id, kind, content, token_count) VALUES ('sum_new', 1, 'leaf', 'new', 1)", false},
		"the summary is of other days": {"UPDATE summaries SET latest_at = '2020-01-01T00:00:00.000Z' WHERE kind = 'leaf'", true},
	} {
		h, db := beside(t, fakehost.Head)
		leaf := finish(t, h, choose(t, h, 4, 7))
		ctx, reads := lcm.WithReads(t.Context())
		read, err := lcm.WholeMessages(ctx, db, []int64{1, 2})
		if err != nil || len(read) != 2 || read[1].Content != "message 1" {
			t.Fatal(read, err)
		}
		_, err = lcm.ReadSummary(ctx, db, leaf)
		must(t, err)
		b := retitle(t, db, name)
		if b.Sources = reads.All(); len(b.Sources) != 3 {
			t.Fatalf("%s: read %v", name, b.Sources)
		}
		must(t, h.Exec(c.change))
		var stale *data.StaleError
		if _, err := change.Write(t.Context(), db, b); (err != nil) != c.stale || c.stale && !errors.As(err, &stale) {
			t.Errorf("%s: %v, want stale: %v", name, err, c.stale)
		}
	}
}

// TestItemsThatAreSettled: what replaces items that came a moment ago may be deleted by a host
// that chose their ordinals before.
func TestItemsThatAreSettled(t *testing.T) {
	t.Parallel()
	h, db := beside(t, fakehost.Head)
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	must(t, h.Exec("UPDATE context_items SET created_at = '2026-03-01 11:49:59' WHERE ordinal = 0"))
	must(t, h.Exec("UPDATE context_items SET created_at = '2026-03-01 11:50:01' WHERE ordinal = 1"))
	must(t, h.Exec("UPDATE context_items SET created_at = 'soon' WHERE ordinal = 2"))
	items, err := lcm.Context(t.Context(), db, 1)
	must(t, err)
	for i, want := range []bool{true, false, true} {
		if got := items[i].IsSettled(now); got != want {
			t.Errorf("item %d is settled: %v, want %v", i, got, want)
		}
	}
	fresh := lcm.NewSummaryItem(db, lcm.Summary{ID: "sum_x"}, 1, 5)
	if fresh.IsSettled(now.AddDate(9, 0, 0)) {
		t.Error("an item that isn't in the file is settled")
	}
	if moved := items[0].InConversation(7); moved.Row()["conversation_id"] != int64(7) || items[0].Row()["conversation_id"] != int64(1) {
		t.Errorf("the item in another conversation: %v, itself: %v", moved.Row(), items[0].Row())
	}
}

// TestWhatAHostNotes of its compactions is zero where it noted nothing.
func TestWhatAHostNotes(t *testing.T) {
	t.Parallel()
	h, db := beside(t, fakehost.Head)
	if n, err := lcm.ReadHostNotes(t.Context(), db, 1); err != nil || n != (lcm.HostNotes{}) {
		t.Errorf("no notes: %+v, %v", n, err)
	}
	for _, q := range []string{
		"INSERT INTO conversation_compaction_telemetry (conversation_id, provider, model, cache_state) VALUES (1, 'anthropic', 'claude-x', 'hot')",
		"INSERT INTO conversation_compaction_maintenance (conversation_id, pending, running, token_budget, context_threshold_source, context_threshold, context_fresh_tail_count, context_leaf_chunk_tokens) VALUES (1, 1, 0, 9000, 'override', 0.7, 16, 5000)",
	} {
		must(t, h.Exec(q))
	}
	other := open(t, db.Path())
	notes, err := lcm.ReadHostNotes(t.Context(), other, 1)
	if diff := cmp.Diff(lcm.HostNotes{Provider: "anthropic", Model: "claude-x", Override: true, Threshold: 0.7, FreshTailCount: 16, ChunkTokens: 5000}, notes); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if m, err := lcm.ReadMaintenance(t.Context(), other, 1); err != nil || m != (lcm.Maintenance{Pending: true}) {
		t.Errorf("%+v, %v", m, err)
	}
	if n, err := lcm.Budget(t.Context(), other, 1); err != nil || n != 9000 {
		t.Errorf("a budget of %d, %v", n, err)
	}
	if n, err := lcm.Budget(t.Context(), other, 2); err != nil || n != 0 {
		t.Errorf("of another conversation: %d, %v", n, err)
	}
}
