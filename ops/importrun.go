package ops

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"lcm-tui/data/change"
	"lcm-tui/internal/lazyregexp"
	"lcm-tui/internal/plural"
)

// ImportRun is a record as it is listed, with others that imported more of the same session file.
type ImportRun struct {
	change.Record
	// Earlier are the other records, newest first. All of them are undone by themselves, the newest first.
	Earlier []change.Record
}

// longestRun is how long after the first record of a run the last one was written at most: one record for each time that
// a file grew would be thousands a day.
const longestRun = time.Hour

// importTitle matches the title of an import of one session file.
var importTitle = lazyregexp.New(`^import ([0-9]+) messages? of (.+?) into (?:a new(?:, archived)? )?(.+)$`)

// JoinImports returns records, which are the newest first, as they are listed: those by which one session file was
// followed within an hour stand together where the newest of them stands. What was undone, or isn't whole, stands
// alone.
func JoinImports(records []change.Record) (out []ImportRun) {
	places := map[string]int{} // Of the newest run of each file.
	for _, r := range records {
		parts := importTitle.FindStringSubmatch(r.Title)
		if r.Op != "follow" || parts == nil || r.State() != "applied" {
			out = append(out, ImportRun{Record: r})
			continue
		}
		file := parts[2] + "\x00" + parts[3]
		if at, has := places[file]; has && out[at].AppliedAt.Sub(r.AppliedAt.Time) <= longestRun {
			out[at].Earlier = append(out[at].Earlier, r)
			continue
		}
		places[file] = len(out)
		out = append(out, ImportRun{Record: r})
	}
	return out
}

// Title returns what the records did together.
func (r ImportRun) Title() string {
	parts := importTitle.FindStringSubmatch(r.Record.Title)
	if len(r.Earlier) == 0 || parts == nil {
		return r.Record.Title
	}
	messages := 0
	for _, one := range append(slices.Clip(r.Earlier), r.Record) {
		n, _ := strconv.Atoi(importTitle.FindStringSubmatch(one.Title)[1])
		messages += n
	}
	return fmt.Sprintf("import %s in %d parts of %s into %s", plural.Count(messages, "message", "messages"), len(r.Earlier)+1, parts[2], parts[3])
}
