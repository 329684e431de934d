package replica

import (
	"context"
	"errors"
	"slices"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/postgres"
	"lcm-tui/internal/outcome"
)

// Options are what is synced, and how.
type Options struct {
	Source string // The name in the replica.
	Level  Level
	Mask   func(string) string // Takes secrets out of texts; nil leaves them.
	Host   string              // The name of this machine.
	// Principal is who syncs, and Origin the program with its version.
	Principal, Origin string
	// Full compares every byte, as every FullEvery does. 0 is a day.
	Full      bool
	FullEvery time.Duration
	// Verify compares every cell of the replica first, and sends again what differs.
	Verify bool
	// FilesDir is the folder of large files, for the check of the file; empty is not known.
	FilesDir string
	// Wait is how long another sync of the same source is waited for.
	Wait   time.Duration
	Report data.Report
	Now    func() time.Time
}

// fullEvery is how often every byte is compared where nothing else is said.
const fullEvery = 24 * time.Hour

// Plan is what a sync would send.
type Plan struct {
	Source    string `json:"source"`
	Replica   string `json:"replica"` // The address, without a password.
	Level     Level  `json:"level"`
	Redacted  bool   `json:"redacted"`
	Unchanged bool   `json:"unchanged"` // The file is as it was when everything was last equal.
	IsNew     bool   `json:"new_source"`
	Full      bool   `json:"compared_every_byte"`
	// How many conversations the replica doesn't have, lacks the newest messages of, has other rows of, and has
	// although the file doesn't. Rows without a conversation count as one.
	New      int `json:"new_conversations"`
	Appended int `json:"continued_conversations"`
	Replaced int `json:"changed_conversations"`
	Gone     int `json:"deleted_conversations"`
	Tables   int `json:"other_tables"`
	// Rows and Bytes are about what is sent.
	Rows  int64 `json:"rows"`
	Bytes int64 `json:"bytes"`

	changes changes
	known   Source
	stamp   string
	// structure is what the file's tables, its migrations and the changes of this program are like.
	structure string
	again     bool // Everything the replica has is sent again: another level, or with other secrets.
}

// IsEmpty reports whether nothing has to be sent.
func (p *Plan) IsEmpty() bool {
	return !p.IsNew && !p.again && len(p.changes.groups)+len(p.changes.tables)+len(p.changes.gone) == 0
}

// Result is what a sync did.
type Result struct {
	Plan
	Sent
	Seconds float64 `json:"seconds"`
}

// MakePlan finds out what has to be sent, and sends nothing.
func MakePlan(ctx context.Context, db *data.DB, conn *postgres.Conn, o Options) (*Plan, error) {
	p := &Plan{Source: o.Source, Replica: conn.Place(), Level: o.Level, Redacted: o.Mask != nil}
	known, ok, err := findSource(ctx, conn, o.Source)
	if err != nil {
		return nil, err
	}
	p.known, p.IsNew = known, !ok
	stamp, settled := stampOf(db, o)
	p.stamp = stamp
	p.Full = o.Full || !ok || known.ComparedAt == nil || now(o).Sub(*known.ComparedAt) >= every(o)
	if ok && settled && stamp == known.stamp && !p.Full {
		p.Unchanged = true
		return p, nil
	}
	if ok {
		if err := checkSame(ctx, db, known, o.Host); err != nil {
			return nil, err
		}
	}
	p.again = ok && (known.Level != o.Level || known.Redacted != (o.Mask != nil))
	return p, p.compare(ctx, db, conn, o)
}

// compare reads what the file has, and what of that the replica doesn't have.
func (p *Plan) compare(ctx context.Context, db *data.DB, conn *postgres.Conn, o Options) error {
	has := &fileState{groups: map[int64]*groupState{}, tables: map[string]tableState{}}
	if !p.IsNew && !p.again {
		var err error
		if has, err = readKnown(ctx, conn, p.known.ID); err != nil {
			return err
		}
	}
	return snapshot(ctx, db, "compare", o.Mask, func(t *data.Tx, r *rowReader) error {
		s, err := readShapeOf(ctx, t, o.Level)
		if err != nil {
			return err
		}
		if p.structure, err = readStructure(ctx, t); err != nil {
			return err
		}
		depth, err := p.depth(ctx, t, s, has)
		if err != nil {
			return err
		}
		file, err := readState(ctx, r, s, has, depth, o.Report)
		if err != nil {
			return err
		}
		file.estimate(db.Size())
		p.changes = compare(file, has)
		p.count(file)
		return nil
	})
}

// depth returns how much has to be read to find out what changed.
func (p *Plan) depth(ctx context.Context, t *data.Tx, s *shape, has *fileState) (depth, error) {
	if len(has.groups) == 0 && s.hasIndexes() {
		return byIndex, nil // Everything is sent.
	}
	var encoding string
	if err := t.QueryRowContext(ctx, "PRAGMA encoding").Scan(&encoding); err != nil {
		return 0, err
	}
	switch {
	case p.Full, encoding != "UTF-8": // The lengths of texts in UTF-16 aren't those that are sent.
		return byBytes, nil
	case p.structure != p.known.structure || !s.hasIndexes():
		return byCells, nil
	}
	return byIndex, nil
}

// count counts what is sent.
func (p *Plan) count(file *fileState) {
	for _, c := range p.changes.groups {
		switch c.how {
		case isNew:
			p.New++
		case isAppended:
			p.Appended++
		case isReplaced:
			p.Replaced++
		case isGone:
			p.Gone++
			continue
		}
		p.Rows += c.rows
		p.Bytes += c.bytes
	}
	for _, name := range p.changes.tables {
		p.Rows += file.tables[name].rows
		p.Bytes += file.tables[name].bytes
	}
	p.Tables = len(p.changes.tables) + len(p.changes.gone)
}

// Sync makes the replica equal to the file. What was sent when it fails or is cancelled stays, and the next one goes
// on from there. A replica has each conversation as the file had it at one moment.
func Sync(ctx context.Context, db *data.DB, a *postgres.Address, o Options) (*Result, error) {
	begun := time.Now()
	conn, err := a.Connect(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	if err := conn.CheckSchema(ctx, true); err != nil {
		return nil, err
	}
	release, err := a.Hold(ctx, "sync to", lockName(o.Source), o.Wait)
	if err != nil {
		return nil, err
	}
	defer release()
	if o.Verify {
		if err := forgetDifferent(ctx, db, conn, o); err != nil {
			return nil, err
		}
	}
	p, err := MakePlan(ctx, db, conn, o)
	if errors.Is(err, ErrAnotherDatabase) {
		return nil, errors.Join(err, noteRefusal(ctx, conn, db.Path(), o))
	}
	if err != nil {
		return nil, err
	}
	r := &Result{Plan: *p}
	id := p.known.ID
	if !p.Unchanged {
		r.Sent, id, err = apply(ctx, db, conn, p, o)
	}
	if err == nil && o.Level != LevelMetrics {
		r.Pieces, err = fillSearch(ctx, a, conn, id, o.Report)
	}
	r.Seconds = time.Since(begun).Seconds()
	return r, err
}

// noteRefusal notes in the audit that a database wasn't sent.
func noteRefusal(ctx context.Context, conn *postgres.Conn, path string, o Options) error {
	s, ok, err := findSource(ctx, conn, o.Source)
	if err != nil || !ok {
		return err
	}
	return audit(ctx, conn, auditEntry{
		action: "refused", source: s.ID, name: s.Name, principal: o.Principal, origin: o.Origin, detail: map[string]any{"host": o.Host, "path": path},
	})
}

// forgetDifferent compares every cell, and forgets what is known of the conversations that differ: they are sent again.
func forgetDifferent(ctx context.Context, db *data.DB, conn *postgres.Conn, o Options) error {
	s, ok, err := findSource(ctx, conn, o.Source)
	if err != nil || !ok {
		return err
	}
	v, err := Verify(ctx, db, conn, o)
	if err != nil || v.Different == 0 {
		return err
	}
	return conn.Transact(ctx, "write to", func() error {
		if _, err := conn.Exec(ctx, "write to", "UPDATE lcm.sources SET stamp = '' WHERE source_id = $1", s.ID); err != nil {
			return err
		}
		changes := make([]groupChange, 0, len(v.groups))
		for _, group := range v.groups {
			changes = append(changes, groupChange{group: group, how: isGone})
		}
		if err := (&sender{conn: conn, source: s.ID}).delete(ctx, changes); err != nil {
			return err
		}
		images := slices.DeleteFunc(v.tables, func(name string) bool {
			_, described := postgres.TableOf(name)
			return described
		})
		for _, table := range []string{"sync_tables", "other_rows"} {
			if _, err := conn.Exec(ctx, "write to", "DELETE FROM lcm."+table+" WHERE source_id = $1 AND table_name = ANY($2)", s.ID, images); err != nil {
				return err
			}
		}
		return nil
	})
}

// apply sends what a plan says.
func apply(ctx context.Context, db *data.DB, conn *postgres.Conn, p *Plan, o Options) (sent Sent, source int64, err error) {
	s := &sender{db: db, conn: conn, level: o.Level, mask: o.Mask, isFirst: p.IsNew, principal: o.Principal, origin: o.Origin}
	err = conn.Transact(ctx, "write to", func() (err error) {
		if s.source, err = saveSource(ctx, db, conn, o); err != nil || !p.again {
			return err
		}
		s.sent.Deleted, err = deleteSource(ctx, conn, s.source)
		return err
	})
	if err != nil {
		return s.sent, s.source, err
	}
	outcome.Of(ctx).Rows()
	if err := s.send(ctx, p, o.Report); err != nil {
		return s.sent, s.source, err
	}
	if p.checks(db) {
		if s.sent.Findings, err = s.sendFindings(ctx, o); err != nil {
			return s.sent, s.source, err
		}
	}
	return s.sent, s.source, s.finish(ctx, p, o)
}

// send sends slice after slice.
func (s *sender) send(ctx context.Context, p *Plan, report data.Report) error {
	for _, changes := range slicesOf(p.changes.groups) {
		if report != nil {
			report(int(s.sent.Rows), int(p.Rows), "sending rows")
		}
		if err := s.slice(ctx, changes); err != nil {
			return err
		}
		outcome.Of(ctx).Rows()
	}
	for _, name := range append(p.changes.tables, p.changes.gone...) {
		if err := s.table(ctx, name); err != nil {
			return err
		}
		outcome.Of(ctx).Rows()
	}
	return nil
}

// finish notes that the replica has everything that the file had.
func (s *sender) finish(ctx context.Context, p *Plan, o Options) error {
	err := s.conn.Transact(ctx, "write to", func() error {
		const query = `UPDATE lcm.sources SET stamp = $2, structure = $5, synced_at = now(), compared_at = CASE WHEN $3 THEN now() ELSE compared_at END, file_bytes = $4
			WHERE source_id = $1`
		if _, err := s.conn.Exec(ctx, "write to", query, s.source, p.stamp, p.Full, s.db.Size(), p.structure); err != nil {
			return err
		}
		if p.IsEmpty() {
			return nil
		}
		return audit(ctx, s.conn, auditEntry{
			action: "sync", source: s.source, name: o.Source, principal: o.Principal, origin: o.Origin,
			detail: map[string]any{"level": o.Level, "redacted": o.Mask != nil, "rows": s.sent.Rows, "deleted": s.sent.Deleted, "file_bytes": s.db.Size()},
		})
	})
	if err == nil {
		outcome.Of(ctx).Rows()
	}
	return err
}

// now returns the present time.
func now(o Options) time.Time {
	if o.Now != nil {
		return o.Now()
	}
	return time.Now()
}

// every returns how often every byte is compared.
func every(o Options) time.Duration {
	if o.FullEvery > 0 {
		return o.FullEvery
	}
	return fullEvery
}
