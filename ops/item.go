package ops

import (
	"slices"
	"sync"
)

// State is how far one of an operation's texts is.
type State string

// The states of a text, in their order. Skipped is the user's word, Failed the
// model's.
const (
	Waiting State = "waiting"
	Asking  State = "asking"
	Ready   State = "ready"
	Skipped State = "skipped"
	Failed  State = "failed"
)

// Item is one text that an operation has a model make, and how far it is.
type Item struct {
	ID    string
	State State
	Why   string // Of a failure.
}

// Items are the texts of a run in the order in which they are made. They may be
// looked at while the run goes on. A nil *Items takes nothing down.
type Items struct {
	mu  sync.Mutex
	all []Item
}

// Itemized is an operation that tells how far each of its texts is.
type Itemized interface {
	Op
	// Telling is the operation that takes it down in items.
	Telling(items *Items) Op
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
