package planfile

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/ops"
)

// difference names the first row in which two lists of changes differ, or is empty. Times differ
// between two plans of the same request, and the ids of new parts.
func difference(file, again []change.Change) string {
	changes := map[string][]change.Change{} // Those without a key have the same name.
	for _, c := range file {
		changes[nameOf(c)] = append(changes[nameOf(c)], c)
	}
	for _, c := range again {
		name := nameOf(c)
		if len(changes[name]) == 0 {
			return name + " isn't in the file"
		}
		was := changes[name][0]
		if changes[name] = changes[name][1:]; len(changes[name]) == 0 {
			delete(changes, name)
		}
		if !sameRow(was.Before, c.Before) || !sameRow(was.After, c.After) {
			return name + " would become another one"
		}
	}
	for _, name := range slices.Sorted(maps.Keys(changes)) {
		return name + " wouldn't change"
	}
	return ""
}

// nameOf names the row of a change. A new part is named by its place: its id is made up.
func nameOf(c change.Change) string {
	if isNewPart(c) {
		return fmt.Sprintf("a new part of message %v at %v", c.After["message_id"], c.After["ordinal"])
	}
	return c.Label()
}

func isNewPart(c change.Change) bool { return c.Table == "message_parts" && c.Before == nil }

// sameRow reports whether two rows are the same but for times and the ids of parts.
func sameRow(a, b data.Row) bool {
	if len(a) != len(b) || (a == nil) != (b == nil) {
		return false
	}
	for column, v := range a {
		w, ok := b[column]
		same := column == "part_id" || (data.Row{column: v}).Equal(data.Row{column: w}) || isTime(column, v) && isTime(column, w)
		if !ok || !same {
			return false
		}
	}
	return true
}

// isTime reports whether a cell holds a time.
func isTime(column string, v any) bool {
	return strings.HasSuffix(column, "_at") && data.CellTime(v).Valid()
}

// compareSets fails with a *data.StaleError where a set isn't what it was when the file was made.
func compareSets(file, again *ops.Set) error {
	rest := map[int64]ops.SetConversation{}
	for _, c := range file.Conversations {
		rest[c.ID] = c
	}
	stale := func(id int64, why string) error {
		return &data.StaleError{What: fmt.Sprintf("conversation %d", id), Why: why}
	}
	for _, c := range again.Conversations {
		was, ok := rest[c.ID]
		delete(rest, c.ID)
		switch {
		case !ok:
			return stale(c.ID, "qualifies now, and didn't when the plan was made")
		case !maps.Equal(was.Rows, c.Rows) || was.Files != c.Files:
			return stale(c.ID, "has other rows that would change now")
		case was.State != c.State || was.Key != c.Key:
			return stale(c.ID, "has another state or session key now")
		}
	}
	for _, id := range slices.Sorted(maps.Keys(rest)) {
		return stale(id, "doesn't qualify any more")
	}
	sameFile := func(a, b ops.SetFile) bool {
		return filepath.Base(a.Path) == filepath.Base(b.Path) && a.Bytes == b.Bytes
	}
	if !slices.EqualFunc(file.Files, again.Files, sameFile) {
		return &data.StaleError{What: "the files beside the database", Why: "are others now"}
	}
	if file.Verb != again.Verb || !maps.Equal(file.Rows, again.Rows) {
		return &data.StaleError{What: "what is selected", Why: "has other rows now"}
	}
	return nil
}
