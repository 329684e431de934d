package diff

import (
	"slices"
	"strconv"
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

// Sum returns how many conversations differ, how many of those that both files have are equal, and of how many
// damage leaves that open.
func (r *Report) Sum() string {
	changed, listed := 0, map[[2]int64]bool{}
	for _, c := range r.Conversations {
		if c.BeforeID != nil && c.AfterID != nil {
			changed++
			listed[[2]int64{*c.BeforeID, *c.AfterID}] = true
		}
	}
	equal := r.Common - changed
	open := map[[2]int64]bool{}
	for _, u := range r.Unreadable {
		if k := [2]int64{u.Before, u.After}; u.Before != 0 && u.After != 0 && !listed[k] {
			open[k] = true
		}
	}
	out := plural.Count(len(r.Conversations), "conversation differs", "conversations differ")
	switch damaged := r.damagedTables(); {
	case r.Rebuilt:
		return out + "; only what lcm-tui changed since is compared"
	case len(r.Unreadable) == 0:
		return out + ", " + plural.Count(equal, "is equal", "are equal")
	case damaged:
		return out + ", and " + plural.Count(equal, "is equal as far as it can be read", "are equal as far as they can be read")
	}
	return out + ", " + plural.Count(equal-len(open), "is equal", "are equal") + ", " + plural.Count(len(open), "is equal as far as it can be read", "are equal as far as they can be read")
}

// damagedTables reports whether whole tables can't be read, so that no conversation is known to be equal.
func (r *Report) damagedTables() bool {
	return slices.ContainsFunc(r.Unreadable, func(u filepair.Unreadable) bool { return u.Before == 0 && u.After == 0 })
}

// mostNamed is how many conversations a line of Uncompared names.
const mostNamed = 6

// Uncompared says what damage kept from being compared: a line for each set of tables, with the conversations.
func (r *Report) Uncompared() (lines []string) {
	type key struct{ before, after int64 }
	tables := map[key][]string{}
	var order []key
	for _, u := range r.Unreadable {
		k := key{u.Before, u.After}
		if tables[k] == nil {
			order = append(order, k)
		}
		tables[k] = append(tables[k], u.Table)
	}
	ids := map[string][]int64{} // By the tables; 0 is the whole file.
	var sets []string
	for _, k := range order {
		set := strings.Join(tables[k], ", ")
		if ids[set] == nil {
			sets = append(sets, set)
		}
		ids[set] = append(ids[set], max(k.before, k.after))
	}
	for _, set := range sets {
		lines = append(lines, set+" of "+conversationsText(ids[set])+" can't be compared: a file is damaged")
	}
	return lines
}

// conversationsText names conversations by their ids.
func conversationsText(ids []int64) string {
	if ids[0] == 0 {
		return "the whole file"
	}
	named := make([]string, 0, mostNamed)
	for _, id := range ids[:min(len(ids), mostNamed)] {
		named = append(named, strconv.FormatInt(id, 10))
	}
	more := ""
	if n := len(ids) - mostNamed; n > 0 {
		more = " and " + plural.Number(n) + " more"
	}
	return plural.Noun(len(ids), "conversation ", "conversations ") + strings.Join(named, ", ") + more
}
