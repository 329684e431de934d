package slice

import (
	"fmt"
	"maps"
	"slices"

	"lcm-tui/internal/plural"
)

// Warnings say what a slice doesn't hold, and what to beware of.
func (r *Result) Warnings() (out []string) {
	for _, table := range slices.Sorted(maps.Keys(r.Cut)) {
		out = append(out, fmt.Sprintf("%s of %s to other conversations left out", plural.Count(int(r.Cut[table]), "link", "links"), table))
	}
	for _, l := range r.LeftOut {
		out = append(out, fmt.Sprintf("%s of %s not copied: %s", plural.Count(int(l.Rows), "row", "rows"), l.Table, l.Reason))
	}
	if n := len(r.MissingFiles); n > 0 {
		out = append(out, fmt.Sprintf("%s not on the disk, such as %s", plural.Count(n, "large file is", "large files are"), r.MissingFiles[0]))
	}
	if r.Dangling > 0 {
		out = append(out, plural.Count(int(r.Dangling), "reference leads", "references lead")+" to rows that don't exist; a check of the new file lists them")
	}
	if n := len(r.Active); n > 0 {
		out = append(out, plural.Count(n, "conversation is", "conversations are")+" active: no other host may use this file while the first one goes on"+r.elsewhere())
	}
	return out
}

// elsewhere says what a host does with active conversations whose sessions it doesn't have.
func (r *Result) elsewhere() string {
	if !r.EndedElsewhere {
		return ""
	}
	return ", and one on another machine archives " + plural.Noun(len(r.Active), "it", "them") + " at its first start and begins an empty conversation"
}
