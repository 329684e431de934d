package remake

import (
	"slices"
	"sync"
)

// State is how far a summary is.
type State string

// The states of a summary, in their order. Skipped is the user's word, Failed the
// model's.
const (
	Waiting State = "waiting"
	Asking  State = "asking"
	Ready   State = "ready"
	Skipped State = "skipped"
	Failed  State = "failed"
)

// Item is one summary, and how far it is.
type Item struct {
	ID    string
	State State
	Why   string // Of a failure.
}

// Items are the summaries of a run in the order in which they are made. They may be
// looked at while the run goes on. A nil *Items takes nothing down.
type Items struct {
	mu  sync.Mutex
	all []Item
}

// Set takes down an item: a new one behind the others, a known one in its place.
func (l *Items) Set(item Item) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	i := slices.IndexFunc(l.all, func(o Item) bool { return o.ID == item.ID })
	if i < 0 {
		l.all = append(l.all, item)
		return
	}
	l.all[i] = item
}

// All are the items as they are now.
func (l *Items) All() []Item {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.all)
}
