package scan

import "slices"

// FindCycles returns the strongly connected sets of ids with a cycle, by Tarjan's
// algorithm. It doesn't recurse: a chain of links may be long.
func FindCycles(ids []string, next func(string) []string) [][]string {
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

// cycleSearch is the state of Tarjan's algorithm.
type cycleSearch struct {
	next    func(string) []string
	index   map[string]int  // The order in which ids were met.
	low     map[string]int  // The first met id that can be reached from an id.
	onStack map[string]bool // The ids in stack.
	stack   []string        // The ids that may still be in a cycle.
	path    []cycleStep
	cycles  [][]string
}

// cycleStep is an id on the current path, and the links from it that weren't followed yet.
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

// step follows one more link of the last id of the path.
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

// leave removes an id from the path when all its links were followed, and notes the cycle
// that it is the first of.
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
	cycle := slices.Clone(r.stack[from:])
	r.stack = r.stack[:from]
	for _, i := range cycle {
		r.onStack[i] = false
	}
	if len(cycle) > 1 || slices.Contains(r.next(id), id) {
		r.cycles = append(r.cycles, cycle)
	}
}
