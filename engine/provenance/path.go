package provenance

import (
	"slices"

	"lcm-tui/data/lcm"
)

// maxPaths is how many paths are listed: summaries under several others may have very many.
const maxPaths = 64

// Paths returns the ways from the message up, each from a leaf to a summary that nothing was made
// of; at most 64 of them. Of a cycle each holds every summary once.
func (t *MessageTrace) Paths() [][]string {
	out := [][]string{}
	var climb func(path []string)
	climb = func(path []string) {
		if len(out) == maxPaths {
			return
		}
		top := true
		for _, id := range t.derived[path[len(path)-1]] {
			if !slices.Contains(path, id) {
				top = false
				climb(append(slices.Clip(path), id))
			}
		}
		if top {
			out = append(out, path)
		}
	}
	for _, id := range t.leaves {
		climb([]string{id})
	}
	return out
}

// Step is a line of the picture of where a message went: a summary below the lines of what it
// was made of.
type Step struct {
	ID       string
	Summary  *lcm.Summary // Nil if it doesn't exist.
	Level    int          // How many summaries lie between it and the message.
	Branch   string       // The lines that lead to it from the steps above.
	Foreign  bool         // It belongs to another conversation.
	Repeated bool         // It stands further up already, with what follows it.
	Cycle    bool         // It was made of a summary that was made of it.
	Places   []lcm.ContextPosition
}

// Steps returns the lines of a tree that grows from the message through its leaves to the summaries
// above them.
func (t *MessageTrace) Steps() []Step {
	var out []Step
	seen := map[string]bool{}
	var draw func(ids []string, path []string, lead string)
	draw = func(ids []string, path []string, lead string) {
		for i, id := range ids {
			branch, below := "├─ ", "│  "
			if i == len(ids)-1 {
				branch, below = "└─ ", "   "
			}
			s := Step{
				ID: id, Level: len(path), Branch: lead + branch, Foreign: slices.Contains(t.Foreign, id),
				Cycle: slices.Contains(path, id), Places: t.PlacesOf(id),
			}
			s.Repeated = seen[id] && !s.Cycle
			if sum, ok := t.Summaries[id]; ok {
				s.Summary = &sum
			}
			out = append(out, s)
			if !seen[id] {
				seen[id] = true
				draw(t.derived[id], append(slices.Clip(path), id), lead+below)
			}
		}
	}
	draw(t.leaves, nil, "")
	return out
}

// topmost returns the summary in the message's own context that is furthest from the message, how many
// summaries lead to it, itself included, and its first place.
func (t *MessageTrace) topmost() (steps int, place lcm.ContextPosition, ok bool) {
	for _, s := range t.Steps() {
		for _, p := range s.Places {
			if p.Conversation == t.Message.Conversation && s.Level+1 > steps {
				steps, place, ok = s.Level+1, p, true
			}
		}
	}
	return steps, place, ok
}
