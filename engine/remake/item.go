package remake

import (
	"slices"
	"sync"

	"lcm-tui/engine/summarize"
)

// State is how far a summary is.
type State string

// The states of a summary, in their order. Skipped is the user's word, Failed the
// model's. Where a run ends early, what was asked is Cancelled, and what had no turn
// NotAsked.
const (
	Waiting   State = "waiting"
	Asking    State = "asking"
	Ready     State = "ready"
	Skipped   State = "skipped"
	Failed    State = "failed"
	Cancelled State = "cancelled"
	NotAsked  State = "not asked"
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
	mu   sync.Mutex
	all  []Item
	cost summarize.Cost
}

// Set takes down an item: a new one behind the others, a known one in its place.
func (l *Items) Set(item Item) {
	l.change(func() {
		i := slices.IndexFunc(l.all, func(o Item) bool { return o.ID == item.ID })
		if i < 0 {
			l.all = append(l.all, item)
			return
		}
		l.all[i] = item
	})
}

// begin forgets what the last run took.
func (l *Items) begin() { l.change(func() { l.cost = summarize.Cost{} }) }

// spend adds what a summary took.
func (l *Items) spend(c summarize.Cost) { l.change(func() { l.cost = l.cost.Plus(c) }) }

// stop says of every summary that has no text what became of it.
func (l *Items) stop() {
	l.change(func() {
		for i := range l.all {
			switch l.all[i].State {
			case Asking:
				l.all[i].State = Cancelled
			case Waiting:
				l.all[i].State = NotAsked
			}
		}
	})
}

// change changes the list, if there is one.
func (l *Items) change(do func()) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	do()
}

// Cost is what the run took until now.
func (l *Items) Cost() (c summarize.Cost) {
	l.change(func() { c = l.cost })
	return c
}

// All are the items as they are now.
func (l *Items) All() (all []Item) {
	l.change(func() { all = slices.Clone(l.all) })
	return all
}
