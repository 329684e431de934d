package repair

import (
	"context"
	"slices"
	"time"

	"lcm-tui/engine/integrity"
)

// second is what times of messages are cut to.
const second = time.Second

// cycles takes away, of every cycle, the link that leads to a summary that isn't older
// and lower, until none is left. A link that the context needs to reach a message is
// the last to go.
func (d *draft) cycles(context.Context) error {
	if !d.has(integrity.SummaryCycle) && !d.retied() {
		return nil
	}
	for ring := d.ring(); ring != nil; ring = d.ring() {
		d.untie(d.weakest(ring))
	}
	d.all(integrity.SummaryCycle)
	return nil
}

// retied reports whether links came.
func (d *draft) retied() bool {
	for _, ts := range d.ties {
		if slices.ContainsFunc(ts, func(t *tie) bool { return t.fresh && !t.gone }) {
			return true
		}
	}
	return false
}

// ring is a cycle as its links, or nil.
func (d *draft) ring() []*tie {
	state := map[string]int{} // 1 on the way, 2 done.
	var path []*tie
	var walk func(id string) []*tie
	walk = func(id string) []*tie {
		state[id] = 1
		for _, t := range d.ties[id] {
			if t.gone || t.source == "" || d.nodes[t.source] == nil {
				continue
			}
			switch state[t.source] {
			case 0:
				path = append(path, t)
				if r := walk(t.source); r != nil {
					return r
				}
				path = path[:len(path)-1]
			case 1:
				from := slices.IndexFunc(path, func(p *tie) bool { return p.summary == t.source })
				if from < 0 {
					from = len(path) // It names itself.
				}
				return append(slices.Clone(path[from:]), t)
			}
		}
		state[id] = 2
		return nil
	}
	for _, n := range d.order {
		if state[n.ID] == 0 {
			if r := walk(n.ID); r != nil {
				return r
			}
		}
	}
	return nil
}

// weakest is the link of a cycle that speaks least for itself.
func (d *draft) weakest(ring []*tie) *tie {
	best, most := ring[0], -1
	for _, t := range ring {
		n, s := d.nodes[t.summary], d.nodes[t.source]
		score := 0
		if d.keepsCoverage(t) {
			score += 8
		}
		if t.summary == t.source || s.Depth >= n.Depth {
			score += 4
		}
		if s.CreatedAt.After(n.CreatedAt.Time) {
			score += 2
		}
		if s.Kind == "condensed" && n.Kind == "leaf" {
			score++
		}
		if score > most {
			best, most = t, score
		}
	}
	return best
}

// keepsCoverage reports whether the context reaches as many messages without a link.
func (d *draft) keepsCoverage(t *tie) bool {
	with := len(d.covered())
	t.gone = true
	d.sync(t.summary)
	without := len(d.covered())
	t.gone = false
	d.sync(t.summary)
	return without >= with
}
