package retrieve

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/sorting"
)

// SubtreeNode is a summary that was made, in so many steps, of the one that is described.
type SubtreeNode struct {
	ID               string  `json:"summaryId"`
	Parent           *string `json:"parentSummaryId"` // The source through which it is reached; nil at the root.
	Steps            int     `json:"depthFromRoot"`
	Kind             string  `json:"kind"`
	Depth            int64   `json:"depth"`
	Tokens           int64   `json:"tokenCount"`
	Descendants      int64   `json:"descendantCount"`
	DescendantTokens int64   `json:"descendantTokenCount"`
	SourceTokens     int64   `json:"sourceMessageTokenCount"`
	EarliestAt       Instant `json:"earliestAt"`
	LatestAt         Instant `json:"latestAt"`
	Children         int     `json:"childCount"` // How many links lead on to derivatives.
	Path             string  `json:"path"`       // The ordinals of the links on the way.
}

// place is where a walk first meets a summary.
type place struct {
	id, parent, path string
}

// derivatives is a walk from a summary to what was made of it. The reference engine's subtree goes
// this way, and not towards sources.
type derivatives struct {
	levels [][]place // By steps.
	links  map[string][]lcm.Link
	rows   map[string]lcm.Summary
	scope  Scope
}

// walkDerivatives walks breadth first. A summary counts once, at its first place: after the
// fewest steps, and there on the lowest path. So a cycle ends the walk.
func walkDerivatives(ctx context.Context, db *data.DB, scope Scope, root lcm.Summary) (*derivatives, error) {
	w := &derivatives{links: map[string][]lcm.Link{}, scope: scope}
	level, visited, ids := []place{{id: root.ID}}, map[string]bool{}, []string{}
	for len(level) > 0 {
		w.levels = append(w.levels, level)
		reached := make([]string, len(level))
		for i, p := range level {
			reached[i], visited[p.id] = p.id, true
		}
		ids = append(ids, reached...)
		links, err := lcm.DerivedLinks(ctx, db, reached)
		if err != nil {
			return nil, err
		}
		for _, l := range links {
			w.links[l.Source] = append(w.links[l.Source], l)
		}
		level = w.next(level, visited)
	}
	var err error
	w.rows, err = lcm.SummariesByID(ctx, db, ids, 1)
	return w, err
}

// next returns the places one step on. Between places of one path the order of the links decides.
func (w *derivatives) next(level []place, visited map[string]bool) []place {
	var found []place
	at := map[string]int{} // Where in found the best place of a summary is.
	for _, p := range level {
		for _, l := range w.links[p.id] {
			q := place{l.Summary, p.id, fmt.Sprintf("%04d", l.Ordinal)}
			if p.path != "" {
				q.path = p.path + "." + q.path
			}
			if i, ok := at[q.id]; visited[q.id] || ok && found[i].path <= q.path {
				continue
			}
			at[q.id] = len(found)
			found = append(found, q)
		}
	}
	next := found[:0]
	for i, p := range found {
		if at[p.id] == i {
			next = append(next, p)
		}
	}
	return next
}

// children returns the derivatives of the root that exist and lie in the scope, by link ordinal.
func (w *derivatives) children(root string) []string {
	ids := []string{}
	for _, l := range w.links[root] {
		if _, ok := w.row(l.Summary); ok {
			ids = append(ids, l.Summary)
		}
	}
	return ids
}

// row returns a summary of the walk, if it exists and lies in the scope.
func (w *derivatives) row(id string) (lcm.Summary, bool) {
	s, ok := w.rows[id]
	return s, ok && w.scope.Contains(s.Conversation)
}

// subtree returns the summaries of the walk by steps, path and time of creation.
func (w *derivatives) subtree() []SubtreeNode {
	nodes := []SubtreeNode{}
	for steps, level := range w.levels {
		sorting.Stable(level, func(a, b *place) int {
			return cmp.Or(strings.Compare(a.path, b.path), strings.Compare(w.rows[a.id].CreatedAt.Raw, w.rows[b.id].CreatedAt.Raw))
		})
		for i, p := range level {
			s, ok := w.row(p.id)
			if !ok {
				continue
			}
			n := SubtreeNode{
				ID: s.ID, Steps: steps, Kind: s.Kind, Depth: s.Depth, Tokens: s.Tokens, Descendants: max(0, s.Descendants),
				DescendantTokens: max(0, s.DescendantTokens), SourceTokens: max(0, s.SourceTokens), EarliestAt: Instant(s.EarliestAt),
				LatestAt: Instant(s.LatestAt), Children: len(w.links[s.ID]), Path: p.path,
			}
			if steps > 0 {
				n.Parent = &level[i].parent
			}
			nodes = append(nodes, n)
		}
	}
	return nodes
}
