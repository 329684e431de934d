package memory

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/settings"
	"lcm-tui/ops/backfill"
	"lcm-tui/ops/follow"
	"lcm-tui/views"
	"lcm-tui/work"
)

// state is all that the screen of memory shows.
type state struct {
	hooks  []work.Receipt
	files  []sessionFile // Those that have to be saved first, of them the oldest; then the newest.
	jobs   []work.Job
	ledger []work.Injection
	spend  work.Spend
	paused string           // Since when; empty while work goes on.
	ids    map[string]int64 // Conversations, by session.
}

// sessionFile is a session file as it lies on the disk, and how far it is saved.
type sessionFile struct {
	follow.Session
	client       string
	keptDays     int    // After so many days without a write its client deletes it; 0 is never.
	saved        int64  // In bytes.
	conversation int64  // 0 is none.
	leftOut      string // Why nothing of it is kept, as the user wants it; empty is that it is kept.
}

// isWhole reports whether all of the file is saved.
func (f *sessionFile) isWhole() bool { return f.saved >= f.Size }

// isDone reports whether nothing of the file has to be saved any more.
func (f *sessionFile) isDone() bool { return f.isWhole() || f.leftOut != "" }

// dies returns when its client deletes the file; the zero time is never.
func (f *sessionFile) dies() time.Time {
	if f.keptDays == 0 {
		return time.Time{}
	}
	return f.ModTime.AddDate(0, 0, f.keptDays)
}

// How much of what ended is shown.
const (
	mostEnded    = 50
	mostInjected = 200
)

// readState reads what hooks noted beside a database, and the session files of all clients. Without notes there are
// only the files.
func readState(ctx context.Context, db *data.DB, a views.Agents, filter settings.SessionFilter) (s *state, err error) {
	s = &state{ids: map[string]int64{}}
	all, err := lcm.Conversations(ctx, db)
	if err != nil {
		return nil, err
	}
	for _, c := range all {
		if c.Active || s.ids[c.SessionID] == 0 {
			s.ids[c.SessionID] = c.ID
		}
	}
	var notes *work.Sidecar
	if a.Notes != "" {
		if notes, err = work.OpenToRead(ctx, a.Notes); err != nil {
			return s, err
		}
	}
	err = s.readFiles(ctx, db, notes, a, filter)
	if notes == nil {
		return s, err
	}
	if err == nil {
		err = s.readNotes(ctx, notes, db.Now())
	}
	return s, errors.Join(err, notes.Close())
}

func (s *state) readNotes(ctx context.Context, notes *work.Sidecar, now time.Time) (err error) {
	if s.hooks, err = notes.Receipts(ctx); err != nil {
		return err
	}
	if s.jobs, err = notes.Jobs(ctx, mostEnded); err != nil {
		return err
	}
	if s.ledger, err = notes.Ledger(ctx, mostInjected); err != nil {
		return err
	}
	if s.spend, err = notes.Today(ctx, now); err != nil {
		return err
	}
	s.paused, err = notes.Paused(ctx)
	return err
}

// readFiles lists the session files. What can't be read can't be saved either, and isn't listed.
func (s *state) readFiles(ctx context.Context, db *data.DB, notes *work.Sidecar, a views.Agents, filter settings.SessionFilter) error {
	stored, err := work.Imports(ctx, db, notes)
	if err != nil {
		return err
	}
	saved := make(map[string]sessionFile, len(stored))
	for id, b := range stored {
		saved[b.Path] = sessionFile{saved: b.Offset, conversation: id}
	}
	keys := &backfill.Keys{}
	for _, c := range a.Clients {
		days := c.KeptDays()
		found, _ := follow.List(ctx, []string{c.Sessions})
		for _, one := range found {
			f := saved[one.Path]
			f.Session, f.client, f.keptDays = one, c.Name, days
			if !f.isWhole() {
				o := &backfill.Op{Path: one.Path, Keys: keys, Filter: filter, Ignores: a.Ignores}
				f.leftOut, _ = o.WhyLeftOut(ctx, db) // What can't be read isn't left out, and isn't saved.
			}
			s.files = append(s.files, f)
		}
	}
	slices.SortStableFunc(s.files, func(a, b sessionFile) int {
		switch {
		case !a.isDone() && b.isDone():
			return -1
		case a.isDone() && !b.isDone():
			return 1
		case !a.isDone():
			a, b = b, a
		}
		return cmp.Or(b.ModTime.Compare(a.ModTime), cmp.Compare(a.Path, b.Path))
	})
	return ctx.Err()
}

// parsed returns a time of the notes; the zero time where it can't be read.
func parsed(at string) time.Time {
	t, _ := time.Parse(time.RFC3339, at) // Else it is zero.
	return t
}
