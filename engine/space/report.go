package space

import (
	"context"

	"lcm-tui/data"
	"lcm-tui/data/space"
)

// Report is what fills a file, and what lies beside it.
type Report struct {
	space.File
	// Forecast is how large the file will be once its free space is given back.
	Forecast Forecast
	Copies   space.Copies
	Beside   space.Beside
	Levers   []Lever
	// Done and Total are how much was measured; until they are equal the other numbers grow.
	Done, Total int64

	groups map[By][]Group
}

// Whole reports whether everything is measured.
func (r *Report) Whole() bool { return r.Total > 0 && r.Done == r.Total }

// Groups are the parts of the file by something, the largest first.
func (r *Report) Groups(by By) []Group { return r.groups[by] }

// Lever is a way to make the file smaller: the command for it, the bytes that it gives back,
// and the rows that it changes or removes.
type Lever struct {
	Verb  string
	Bytes int64
	Rows  int64
	// Beside says that the bytes are of files beside the database.
	Beside bool
}

// Explain says in a sentence what the lever does.
func (l *Lever) Explain() string { return explanations[l.Verb] }

// explanations are what the levers do, by their verbs.
var explanations = map[string]string{
	"reclaim":       "Gives free pages and free space in pages back to the disk. No row changes.",
	"reclaim --wal": "Writes the -wal into the file and empties it. No row changes.",
	"prune files":   "Moves large files that no row names, and that nobody wrote to for a day, into the trash.",
	"trash empty":   "Deletes what was removed before and is kept to be restored. It can't be undone.",
}

// Read reports on a file. It calls each with what is known so far, again and again, and returns
// the whole report. Each report is the caller's own.
func Read(ctx context.Context, db *data.DB, folders space.Folders, each func(*Report)) (*Report, error) {
	conversations, err := db.Conversations(ctx)
	if err != nil {
		return nil, err
	}
	beside, err := space.ReadBeside(ctx, db, folders)
	if err != nil {
		return nil, err
	}
	throttle := newThrottle(db.Now)
	m, err := space.Measure(ctx, db, func(m *space.Measurement) {
		if throttle.due() {
			each(newReport(m, conversations, beside))
		}
	})
	if err != nil {
		return nil, err
	}
	return newReport(m, conversations, beside), nil
}

// newReport makes a report of what is measured so far.
func newReport(m *space.Measurement, conversations []data.Conversation, beside space.Beside) *Report {
	r := &Report{File: m.File, Forecast: Predict(m, nil), Copies: m.Copies, Beside: beside, Done: m.Done, Total: m.Total}
	r.groups = newGrouping(m).all(conversations, &r.Forecast)
	r.Levers = reclaimLevers(r)
	return r
}

// reclaimLevers are the levers that take no rows away: the space that nothing uses, the -wal,
// and files that nothing needs.
func reclaimLevers(r *Report) (out []Lever) {
	if r.Whole() {
		out = append(out, Lever{Verb: "reclaim", Bytes: max(0, r.Forecast.Before-r.Forecast.After)})
	}
	return append(
		out,
		Lever{Verb: "reclaim --wal", Bytes: r.WALBytes, Beside: true},
		Lever{Verb: "prune files", Bytes: r.Beside.Old.Bytes, Rows: r.Beside.Old.Files, Beside: true},
		Lever{Verb: "trash empty", Bytes: r.Beside.Trash.Bytes, Rows: r.Beside.Trash.Files, Beside: true},
	)
}
