package lcm

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"lcm-tui/data"
)

// Overview is what a list of databases shows of one of them. All of it is read in a moment, also
// on a large file.
type Overview struct {
	Kind          data.Kind
	Conversations int64
	Messages      int64
	// LastMessageAt is the newest time of the conversations' last messages.
	LastMessageAt data.Time
	Growth        Growth
	// OpenIn are the other programs that have the file open, as far as that is known.
	OpenIn []string
	// Warnings are what isn't whole in the file, as far as reading this much showed it.
	Warnings []error
}

// Growth is how fast a file grows, estimated from its newest messages.
type Growth struct {
	// Messages came in the time Within before now. On a file that gets many, it is a part of the
	// last week.
	Messages int64
	Within   time.Duration
	// PerDay is that number for a day times the bytes of the file for each of its messages.
	PerDay int64
}

const (
	// overviewWait is how long reading an overview waits for locks: others wait for it.
	overviewWait = 500 * time.Millisecond
	// growthWindow is the time in which messages count for the growth of a file.
	growthWindow = 7 * 24 * time.Hour
	// growthSample is how many of the newest messages are looked at for that.
	growthSample = 1000
	// maxOverviewCopy is how large a file may be that is copied for its overview, because its
	// journal has to be rolled back: in bytes.
	maxOverviewCopy = 64 << 20
)

// ReadOverview opens the file at path for reading, reads its overview at the time now, and closes
// it. Its errors are *Error and say why the file can't be shown.
func ReadOverview(ctx context.Context, path string, now time.Time) (o Overview, err error) {
	if info, err := os.Stat(path); err == nil && info.Size() > maxOverviewCopy && data.MayHaveHotJournal(path) {
		return o, data.NewError(path, "open", data.ErrUnfinished, "or a program is writing to it now. Open it: then what was there before that write is shown, from a copy")
	}
	target, err := filepath.EvalSymlinks(path)
	inUse := err == nil && data.HasFile(target+data.WALSuffix)
	db, err := data.OpenWaiting(ctx, path, overviewWait)
	if err != nil {
		return o, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	o.Kind = db.Kind()
	if inUse {
		o.OpenIn = db.Holders(target).Names
	}
	err = readOverview(ctx, db, &o, now)
	o.Warnings = db.Warnings()
	return o, err
}

// readOverview reads the numbers of an overview.
func readOverview(ctx context.Context, db *data.DB, o *Overview, now time.Time) error {
	for table, n := range map[string]*int64{"conversations": &o.Conversations, "messages": &o.Messages} {
		if !db.Schema().Has(table) {
			continue
		}
		if _, err := data.One(ctx, db, "count "+table, "SELECT count(*) FROM "+table, nil, (*data.Integer)(n)); err != nil {
			return err
		}
	}
	last, err := LastActivity(ctx, db)
	if err != nil {
		return err
	}
	o.LastMessageAt = data.Time{Null: true}
	for _, at := range last {
		if at.Valid() && at.After(o.LastMessageAt.Time) {
			o.LastMessageAt = at
		}
	}
	o.Growth, err = growth(ctx, db, o.Messages, now)
	return err
}

// growth estimates how fast a file with so many messages grows.
func growth(ctx context.Context, db *data.DB, messages int64, now time.Time) (g Growth, err error) {
	if messages == 0 || !db.Schema().Has("messages", "message_id", "created_at") {
		return g, nil
	}
	oldest := now.Add(-growthWindow)
	var first time.Time // Of those that count.
	const query = "SELECT created_at FROM messages ORDER BY message_id DESC LIMIT ?"
	err = data.Each(ctx, db, "read growth", query, []any{growthSample}, func(scan data.RowScanner) error {
		var at data.Time
		err := scan(&at)
		if at.Valid() && at.After(oldest) && !at.After(now) {
			g.Messages++
			if first.IsZero() || at.Before(first) {
				first = at.Time
			}
		}
		return err
	})
	g.Within = growthWindow
	if g.Messages == growthSample { // All that were looked at are so new.
		g.Within = max(time.Hour, now.Sub(first))
	}
	perDay := float64(g.Messages) * float64(24*time.Hour) / float64(g.Within)
	g.PerDay = int64(perDay * float64(db.Size()) / float64(messages))
	return g, err
}
