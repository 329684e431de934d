package views

import (
	"fmt"
	"strings"

	"lcm-tui/engine/integrity"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
)

// FindingCounts says how many findings a plan repairs, and what becomes of the others.
func FindingCounts(items []ops.Item) string {
	return plural.Count(len(items), "finding", "findings") + ": " + FindingWords(items)
}

// FindingWords says what becomes of findings: "2 to be repaired, 1 waiting for a model".
func FindingWords(items []ops.Item) string {
	open, undecided, states := 0, 0, map[ops.ItemState]int{}
	for _, i := range items {
		states[i.State]++
		switch {
		case i.Undecided():
			undecided++
		case i.State == ops.Open:
			open++
		}
	}
	var words []string
	for _, n := range []struct {
		n    int
		what string
	}{
		{states[ops.Included], "to be repaired"},
		{states[ops.Estimated], "waiting for the model"},
		{states[ops.NeedsModel], "waiting for a model"},
		{undecided, "waiting for your choice"},
		{states[ops.Skipped], "left as they are"},
		{open, "can't be repaired"},
	} {
		if n.n > 0 {
			words = append(words, fmt.Sprintf("%d %s", n.n, n.what))
		}
	}
	return strings.Join(words, ", ")
}

// CheckedSentence says how much a check found.
func CheckedSentence(c integrity.Counts) string {
	var found []string
	for _, n := range []struct {
		count     int
		one, many string
	}{{c.Fatal + c.Error, "error", "errors"}, {c.Warn, "warning", "warnings"}, {c.Info, "note", "notes"}} {
		if n.count > 0 {
			found = append(found, plural.Count(n.count, n.one, n.many))
		}
	}
	if len(found) == 0 {
		return "checked: nothing is wrong"
	}
	return "checked: " + strings.Join(found, ", ")
}
