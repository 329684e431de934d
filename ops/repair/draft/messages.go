package draft

import (
	"cmp"
	"iter"
	"slices"

	"lcm-tui/data/lcm"
)

// Messages are the headers of a conversation's messages, in the order of seq.
type Messages struct {
	stored []lcm.MessageHeader // As they are, with those that are deleted.
	byID   map[int64]lcm.MessageHeader
}

// NewMessages holds headers, which come in the order of seq.
func NewMessages(headers ...lcm.MessageHeader) *Messages {
	m := &Messages{stored: headers, byID: make(map[int64]lcm.MessageHeader, len(headers))}
	for _, h := range headers {
		m.byID[h.ID] = h
	}
	return m
}

// Stored returns how many messages the file holds.
func (m *Messages) Stored() int { return len(m.stored) }

// Len returns how many messages stay.
func (m *Messages) Len() int { return len(m.byID) }

// All returns the messages that stay, in the order of seq.
func (m *Messages) All() iter.Seq[lcm.MessageHeader] {
	return func(yield func(lcm.MessageHeader) bool) {
		for _, s := range m.stored {
			if h, stays := m.byID[s.ID]; stays && !yield(h) {
				return
			}
		}
	}
}

// Has reports whether there is a message, and stays.
func (m *Messages) Has(id int64) bool {
	_, ok := m.byID[id]
	return ok
}

// Header returns the header of a message, which is zero where there is none.
func (m *Messages) Header(id int64) lcm.MessageHeader { return m.byID[id] }

// Seq returns the seq of a message, or 0.
func (m *Messages) Seq(id int64) int64 { return m.byID[id].Seq }

// IsVisible reports whether there is a message, and something in it that a model is shown.
func (m *Messages) IsVisible(id int64) bool {
	h, ok := m.byID[id]
	return ok && !h.CompactionNote && !h.Blank
}

// Update sets the header of a message that stays.
func (m *Messages) Update(h lcm.MessageHeader) {
	if m.Has(h.ID) {
		m.byID[h.ID] = h
	}
}

// Delete removes a message.
func (m *Messages) Delete(id int64) { delete(m.byID, id) }

// Sort puts ids of messages in the order of seq.
func (m *Messages) Sort(ids []int64) {
	slices.SortStableFunc(ids, func(a, b int64) int { return cmp.Or(cmp.Compare(m.Seq(a), m.Seq(b)), cmp.Compare(a, b)) })
}
