package diff

import (
	"strings"

	"lcm-tui/internal/plural"
	"lcm-tui/ops/diff/filepair"
)

// CountsText returns how many rows differ, on one line: +3 −1 ~2 (1 redacted). It is empty for none.
func CountsText(c filepair.Counts) string {
	parts := signedCounts(c.Added, c.Removed, c.Changed)
	var marks []string
	for _, m := range filepair.Marks {
		if n := c.Of(m); n > 0 {
			marks = append(marks, plural.Number(n)+" "+string(m))
		}
	}
	if len(marks) > 0 {
		parts = append(parts, "("+strings.Join(marks, ", ")+")")
	}
	return strings.Join(parts, " ")
}

// String returns how many items of a context differ, on one line: +1 −8 ↕40. It is empty for none.
func (c ContextCounts) String() string {
	parts := signedCounts(c.Added, c.Removed, c.Changed)
	if c.Moved > 0 {
		parts = append(parts, "↕"+plural.Number(c.Moved))
	}
	return strings.Join(parts, " ")
}

func signedCounts(added, removed, changed int64) (out []string) {
	for _, n := range []struct {
		sign string
		n    int64
	}{{"+", added}, {"−", removed}, {"~", changed}} {
		if n.n > 0 {
			out = append(out, n.sign+plural.Number(n.n))
		}
	}
	return out
}

// Other returns how many rows differ of parts, links, files and state.
func (c *Conversation) Other() (n filepair.Counts) {
	for _, of := range []filepair.Counts{c.Parts, c.Links, c.Files, c.State} {
		n.Add(of)
	}
	return n
}

// Sum returns how many conversations differ, and how many of those that both files have are equal.
func (r *Report) Sum() string {
	changed := 0
	for _, c := range r.Conversations {
		if c.BeforeID != nil && c.AfterID != nil {
			changed++
		}
	}
	return plural.Count(len(r.Conversations), "conversation differs", "conversations differ") + ", " + plural.Count(r.Common-changed, "is equal", "are equal")
}
