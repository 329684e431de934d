package regenerate

import (
	"slices"
	"sync"

	"lcm-tui/engine/summarize"
)

// State is the state of one summary in a run.
type State string

// The states of a summary, in their order. StateSkipped is the user's choice, StateFailed the
// model's failure. Where a run ends early, summaries that were being asked for are
// StateCancelled, and those that weren't StateNotAsked.
const (
	StateWaiting   State = "waiting"
	StateAsking    State = "asking"
	StateReady     State = "ready"
	StateSkipped   State = "skipped"
	StateFailed    State = "failed"
	StateCancelled State = "cancelled"
	StateNotAsked  State = "not asked"
)

// Item is one summary and its state.
type Item struct {
	ID    string
	State State
	Why   string // Of a failure.
}

// Progress is the state of all summaries of a run, in the order in which they are made. It
// may be read while the run goes on. A nil *Progress records nothing.
type Progress struct {
	mu   sync.Mutex
	all  []Item
	cost summarize.Cost
}

// Set records an item: a new one behind the others, a known one in its place.
func (l *Progress) Set(item Item) {
	l.change(func() {
		i := slices.IndexFunc(l.all, func(o Item) bool { return o.ID == item.ID })
		if i < 0 {
			l.all = append(l.all, item)
			return
		}
		l.all[i] = item
	})
}

// begin resets the cost for a new run.
func (l *Progress) begin() { l.change(func() { l.cost = summarize.Cost{} }) }

// spend adds what a summary cost.
func (l *Progress) spend(c summarize.Cost) { l.change(func() { l.cost = l.cost.Plus(c) }) }

// stop sets the final state of every summary without a text.
func (l *Progress) stop() {
	l.change(func() {
		for i := range l.all {
			switch l.all[i].State {
			case StateAsking:
				l.all[i].State = StateCancelled
			case StateWaiting:
				l.all[i].State = StateNotAsked
			}
		}
	})
}

// change changes the list, if there is one.
func (l *Progress) change(do func()) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	do()
}

// Cost returns what the run has cost until now.
func (l *Progress) Cost() (c summarize.Cost) {
	l.change(func() { c = l.cost })
	return c
}

// All returns the items as they are now.
func (l *Progress) All() (all []Item) {
	l.change(func() { all = slices.Clone(l.all) })
	return all
}
