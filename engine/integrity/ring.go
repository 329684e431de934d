package integrity

import "slices"

// rings are the sets of ids that can each be reached from themselves, by Tarjan's
// way of strongly connected components, without recursion: a chain of links may be
// long.
func rings(ids []string, next func(string) []string) (out [][]string) {
	type frame struct {
		id   string
		todo []string
	}
	index, low, onStack := map[string]int{}, map[string]int{}, map[string]bool{}
	var stack []string
	for _, root := range ids {
		if _, seen := index[root]; seen {
			continue
		}
		calls := []frame{}
		enter := func(id string) {
			index[id], low[id] = len(index), len(index)
			stack, onStack[id] = append(stack, id), true
			calls = append(calls, frame{id, next(id)})
		}
		enter(root)
		for len(calls) > 0 {
			f := &calls[len(calls)-1]
			if len(f.todo) > 0 {
				to := f.todo[0]
				f.todo = f.todo[1:]
				if _, seen := index[to]; !seen {
					enter(to)
				} else if onStack[to] {
					low[f.id] = min(low[f.id], index[to])
				}
				continue
			}
			id := f.id
			calls = calls[:len(calls)-1]
			if len(calls) > 0 {
				up := calls[len(calls)-1].id
				low[up] = min(low[up], low[id])
			}
			if low[id] != index[id] {
				continue
			}
			at := len(stack) - 1
			for stack[at] != id {
				at--
			}
			ring := slices.Clone(stack[at:])
			stack = stack[:at]
			for _, r := range ring {
				onStack[r] = false
			}
			if len(ring) > 1 || slices.Contains(next(id), id) {
				out = append(out, ring)
			}
		}
	}
	return out
}
