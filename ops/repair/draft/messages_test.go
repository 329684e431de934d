package draft_test

import (
	"slices"
	"testing"

	"lcm-tui/data/lcm"
	"lcm-tui/ops/repair/draft"
)

// header returns the header of a visible message.
func header(id, seq int64) lcm.MessageHeader {
	return lcm.MessageHeader{ID: id, Seq: seq, Role: "user"}
}

// ids returns the messages that stay, in their order.
func ids(m *draft.Messages) (out []int64) {
	for h := range m.All() {
		out = append(out, h.ID)
	}
	return out
}

// TestDeletedMessagesAreNowhere but in the number of those that the file holds.
func TestDeletedMessagesAreNowhere(t *testing.T) {
	t.Parallel()
	m := draft.NewMessages(header(11, 1), header(12, 2), header(13, 3))
	m.Delete(12)
	if got := ids(m); !slices.Equal(got, []int64{11, 13}) {
		t.Errorf("%v stay", got)
	}
	if m.Has(12) || m.IsVisible(12) || m.Seq(12) != 0 || m.Len() != 2 || m.Stored() != 3 {
		t.Errorf("has %v, %d of %d", m.Has(12), m.Len(), m.Stored())
	}
	m.Update(header(12, 9))
	if m.Has(12) {
		t.Error("an update brought it back")
	}
}

// TestAnUpdateIsSeenInTheOrder that the messages had.
func TestAnUpdateIsSeenInTheOrder(t *testing.T) {
	t.Parallel()
	m := draft.NewMessages(header(11, 1), header(12, 2))
	h := header(11, 1)
	h.Role = "tool"
	m.Update(h)
	for h := range m.All() {
		if h.ID == 11 && h.Role != "tool" {
			t.Errorf("%+v", h)
		}
	}
	if got := ids(m); !slices.Equal(got, []int64{11, 12}) {
		t.Errorf("%v", got)
	}
}

// TestVisibleMessages have something that a model is shown.
func TestVisibleMessages(t *testing.T) {
	t.Parallel()
	blank, note := header(12, 2), header(13, 3)
	blank.Blank, note.CompactionNote = true, true
	m := draft.NewMessages(header(11, 1), blank, note)
	for id, want := range map[int64]bool{11: true, 12: false, 13: false, 14: false} {
		if got := m.IsVisible(id); got != want {
			t.Errorf("message %d is visible: %v, want %v", id, got, want)
		}
	}
}

// TestMessagesAreSortedBySeq, and by id where they have none.
func TestMessagesAreSortedBySeq(t *testing.T) {
	t.Parallel()
	m := draft.NewMessages(header(30, 1), header(20, 2), header(10, 3))
	got := []int64{10, 99, 20, 98, 30}
	m.Sort(got)
	if want := []int64{98, 99, 30, 20, 10}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
