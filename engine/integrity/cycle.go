package integrity

import "slices"

// findCycles are the sets of ids that can each be reached from themselves, by Tarjan's
// way of strongly connected components, without recursion: a chain of links may be
// long.
func findCycles(ids []string, next func(string) []string) [][]string {
	r := cycleSearch{next: next, index: map[string]int{}, low: map[string]int{}, onStack: map[string]bool{}}
	for _, id := range ids {
		if _, seen := r.index[id]; seen {
			continue
		}
		r.enter(id)
		for len(r.path) > 0 {
			r.step()
		}
	}
	return r.cycles
}

type cycleSearch struct {
	next    func(string) []string
	index   map[string]int  // When an id was met.
	low     map[string]int  // The earliest that can be reached from it.
	onStack map[string]bool // It is in stack.
	stack   []string        // Those that may be in a ring still.
	path    []cycleStep
	cycles  [][]string
}

// cycleStep is an id on the way, and what is still to be looked at from it.
type cycleStep struct {
	id        string
	remaining []string
}

func (r *cycleSearch) enter(id string) {
	n := len(r.index)
	r.index[id], r.low[id] = n, n
	r.stack, r.onStack[id] = append(r.stack, id), true
	r.path = append(r.path, cycleStep{id, r.next(id)})
}

// step looks at one more link of the newest id on the way.
func (r *cycleSearch) step() {
	now := &r.path[len(r.path)-1]
	if len(now.remaining) == 0 {
		r.leave(now.id)
		return
	}
	to := now.remaining[0]
	now.remaining = now.remaining[1:]
	if _, seen := r.index[to]; !seen {
		r.enter(to)
	} else if r.onStack[to] {
		r.low[now.id] = min(r.low[now.id], r.index[to])
	}
}

// leave goes back from an id, all of whose links have been looked at.
func (r *cycleSearch) leave(id string) {
	r.path = r.path[:len(r.path)-1]
	if n := len(r.path); n > 0 {
		up := r.path[n-1].id
		r.low[up] = min(r.low[up], r.low[id])
	}
	if r.low[id] != r.index[id] {
		return
	}
	from := len(r.stack) - 1
	for r.stack[from] != id {
		from--
	}
	ring := slices.Clone(r.stack[from:])
	r.stack = r.stack[:from]
	for _, i := range ring {
		r.onStack[i] = false
	}
	if len(ring) > 1 || slices.Contains(r.next(id), id) {
		r.cycles = append(r.cycles, ring)
	}
}
