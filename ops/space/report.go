package space

import (
	"context"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// Report is what fills a file, and what lies beside it.
type Report struct {
	File
	// Forecast is how large the file will be once its free space is given back.
	Forecast Forecast
	Copies   Copies
	Beside   Beside
	Levers   []Lever
	// Measurement is what the report was made from; nil until everything is measured.
	Measurement *Measurement
	// Done and Total are how much was measured; until they are equal the other numbers grow.
	Done, Total int64

	groups map[By][]Group
}

// Whole reports whether everything is measured.
func (r *Report) Whole() bool { return r.Total > 0 && r.Done == r.Total }

// Groups returns the parts of the file by something, the largest first.
func (r *Report) Groups(by By) []Group { return r.groups[by] }

// Lever is a way to make the file smaller: the command for it, the bytes that it gives back,
// and the rows that it changes or removes.
type Lever struct {
	Verb  string
	Bytes int64
	Rows  int64
	// Beside says that the bytes are of files beside the database.
	Beside bool
	// Conversations are those that would change; none where the lever is about the file.
	Conversations []int64
	// Refused are the conversations that would stay as they are, by the reason, the most first.
	Refused []LeverRefusal
	// Explained says that it is listed for these although it gives nothing back: where they decide, as in files of
	// hosts of 1.0, and where somebody asked for these conversations.
	Explained bool
}

// PruneBatches deletes what hosts of 1.0 are done with.
const PruneBatches = "prune batches"

// LeverRefusal is why conversations stay as they are.
type LeverRefusal struct {
	Reason        string
	Conversations []int64
}

// Name says in words what the lever does, where no command can be typed.
func (l *Lever) Name() string {
	switch l.Verb {
	case Reclaim:
		return "give unused space back"
	case ReclaimWAL:
		return "empty the -wal"
	case TrashEmpty:
		return "empty the trash"
	}
	return l.Verb
}

// Explain says in a sentence what the lever does.
func (l *Lever) Explain() string { return explanations[l.Verb] }

// explanations are what the levers do, by their verbs.
var explanations = map[string]string{
	Reclaim:               "Gives free pages and free space in pages back to the disk. No row changes.",
	ReclaimWAL:            "Writes the -wal into the file and empties it. No row changes.",
	"prune copies":        "Drops the second copy of texts from the metadata of their parts. Nothing is lost: it is made again from the texts when this is undone.",
	"prune payloads":      "Forgets inline media and large outputs of tools; a stub stays in their place, and the trash keeps them.",
	"prune text":          "Forgets texts of messages below summaries; a stub stays in their place, and the trash keeps them.",
	"prune conversations": "Removes conversations that are over; the trash keeps them.",
	"prune files":         "Moves large files that no row names, and that nobody wrote to for a day, into the trash.",
	PruneBatches:          "Deletes what a host of 1.0 prepared in the background and published or gave up more than a week ago. It can't be undone.",
	"prune history":       "Deletes this program's records. What they changed can't be undone any more.",
	TrashEmpty:            "Deletes what was removed before and is kept to be restored. It can't be undone.",
}

// Read reports on a file. It calls each with what is known so far, again and again, and returns
// the whole report. Each report is the caller's own.
func Read(ctx context.Context, db *data.DB, folders Folders, each func(*Report)) (*Report, error) {
	conversations, err := lcm.Conversations(ctx, db)
	if err != nil {
		return nil, err
	}
	beside, err := ReadBeside(ctx, db, folders)
	if err != nil {
		return nil, err
	}
	throttle := newThrottle(db.Now)
	m, err := Measure(ctx, db, func(m *Measurement) {
		if throttle.due() {
			each(newReport(m, conversations, beside))
		}
	})
	if err != nil {
		return nil, err
	}
	r := newReport(m, conversations, beside)
	r.Measurement = m
	return r, nil
}

// newReport makes a report of what is measured so far.
func newReport(m *Measurement, conversations []lcm.Conversation, beside Beside) *Report {
	r := &Report{File: m.File, Forecast: Predict(m, nil), Copies: m.Copies, Beside: beside, Done: m.Done, Total: m.Total}
	r.groups = newGrouping(m).all(conversations, &r.Forecast)
	r.Levers = reclaimLevers(r)
	return r
}

// reclaimLevers returns the levers that take no rows away: the space that nothing uses, the -wal,
// and files that nothing needs.
func reclaimLevers(r *Report) []Lever {
	if r.IsServer {
		return nil
	}
	reclaimed := int64(0)
	if r.Whole() {
		reclaimed = max(0, r.Forecast.Before-r.Forecast.After)
	}
	return []Lever{
		{Verb: Reclaim, Bytes: reclaimed},
		{Verb: ReclaimWAL, Bytes: r.WALBytes, Beside: true},
		{Verb: TrashEmpty, Bytes: r.Beside.Trash.Bytes, Rows: r.Beside.Trash.Files, Beside: true},
	}
}

// RemoveAdded takes away the levers that were added.
func (r *Report) RemoveAdded() { r.Levers = reclaimLevers(r) }

// The levers that change no rows. The one of the trash deletes what the others removed, so it comes last.
const (
	Reclaim    = "reclaim"
	ReclaimWAL = "reclaim --wal"
	TrashEmpty = "trash empty"
)

// AddLever adds a lever behind all others but the trash.
func (r *Report) AddLever(l Lever) {
	at := slices.IndexFunc(r.Levers, func(l Lever) bool { return l.Verb == TrashEmpty })
	r.Levers = slices.Insert(r.Levers, max(0, at), l)
}
