package replica

import (
	"cmp"
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
	Level  Level  // How much is sent; empty is as at the sync before, and everything at the first.
	// Redact has Mask take secrets out of texts before they are sent; nil is as at the sync before.
	Redact *bool
	Mask   func(string) string
	Filter *Filter // Which conversations are sent; nil is as at the sync before.
	// KeepDeleted moves rows that the host deleted to a source of their own, and doesn't delete them; nil is as at the sync before.
	KeepDeleted *bool
	Host        string // The name of this machine.
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

// extent returns what is sent of a source that is known, or not yet.
func (o Options) extent(known Source) extent {
	e := extent{level: cmp.Or(o.Level, known.Level, LevelFull), filter: known.Filter, keepsDeleted: known.KeepsDeleted}
	if o.Redact == nil && known.Redacted || o.Redact != nil && *o.Redact {
		e.mask = o.Mask
	}
	if o.Filter != nil {
		e.filter = *o.Filter
	}
	if o.KeepDeleted != nil {
		e.keepsDeleted = *o.KeepDeleted
	}
	return e
}

// fullEvery is how often every byte is compared where nothing else is said.
const fullEvery = 24 * time.Hour

// Result is what a sync did.
type Result struct {
	Plan
	Sent
	Seconds float64 `json:"seconds"` // Until everything was equal.
	// CheckSeconds is how long the check of the file took after that, or 0 where there was none.
	CheckSeconds float64 `json:"check_seconds"`
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
	if r, err := unchanged(ctx, db, conn, o); r != nil || err != nil {
		return r, err
	}
	held, err := a.Hold(ctx, "sync to", lockName(o.Source), o.Wait)
	if err != nil {
		return nil, err
	}
	defer held.Release()
	conn.Under(held)
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
	if p.Unchanged {
		r.Searchable, err = fillTexts(ctx, a, conn, p.known.ID, p, o)
		r.Seconds = time.Since(begun).Seconds()
		return r, err
	}
	s := &sender{db: db, conn: conn, extent: p.extent, revision: p.known.Revision, isFirst: p.IsNew, principal: o.Principal, origin: o.Origin}
	err = s.apply(ctx, a, p, o)
	r.Seconds = time.Since(begun).Seconds()
	if err == nil && p.checks(db) { // It takes longest, and the replica is equal without it.
		err = s.check(ctx, p, o)
		r.CheckSeconds = time.Since(begun).Seconds() - r.Seconds
	}
	r.Sent = s.sent
	return r, err
}

// unchanged returns the result of a sync of a file that is as it was, or nil where there is something to do. It takes no lock and needs no
// second connection.
func unchanged(ctx context.Context, db *data.DB, conn *postgres.Conn, o Options) (*Result, error) {
	begun := time.Now()
	p, err := beginPlan(ctx, db, conn, o)
	if err != nil || !p.Unchanged || p.Unsearchable > 0 || o.Verify {
		return nil, err
	}
	const equal = "UPDATE lcm.sources SET synced_at = now() WHERE source_id = $1 AND stamp = $2"
	_, err = conn.Exec(ctx, "write to", equal, p.known.ID, p.stamp)
	return &Result{Plan: *p, Seconds: time.Since(begun).Seconds()}, err
}

// fillTexts makes the texts searchable that aren't yet, of a source and of what was deleted from it.
func fillTexts(ctx context.Context, a *postgres.Address, conn *postgres.Conn, source int64, p *Plan, o Options) (texts int64, err error) {
	if p.Level == LevelMetrics {
		return 0, nil
	}
	texts, err = fillSearch(ctx, a, conn, source, o.Report)
	if err != nil {
		return texts, err
	}
	deleted, _, err := deletedSource(ctx, conn, source)
	if err != nil || deleted == 0 {
		return texts, err
	}
	more, err := fillSearch(ctx, a, conn, deleted, o.Report)
	return texts + more, err
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
		w := &sender{conn: conn, source: s.ID, revision: s.Revision, principal: o.Principal, origin: o.Origin}
		if err := w.revise(ctx); err != nil {
			return err
		}
		if s.KeepsDeleted {
			if w.deleted, _, err = deletedSource(ctx, conn, s.ID); err != nil {
				return err
			}
		}
		if err := w.takeAway(ctx, changes); err != nil {
			return err
		}
		if err := w.settleDeleted(ctx, changes); err != nil {
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

// apply sends what a plan says, and makes it searchable.
func (s *sender) apply(ctx context.Context, a *postgres.Address, p *Plan, o Options) error {
	parts := outcome.Of(ctx).Undoing()
	err := s.conn.Transact(ctx, "write to", func() (err error) {
		if err := s.begin(ctx, p, o); err != nil || !p.again {
			return err
		}
		s.sent.Deleted, err = deleteSource(ctx, s.conn, s.source)
		return err
	})
	if err != nil {
		return err
	}
	outcome.Of(ctx).Rows()
	if err := s.send(ctx, p, o.Report); err != nil {
		return err
	}
	if s.sent.Searchable, err = fillTexts(ctx, a, s.conn, s.source, p, o); err != nil {
		return err
	}
	if err := s.finish(ctx, p, o); err != nil {
		return err
	}
	parts() // They are no parts any more.
	outcome.Of(ctx).Step("all that the file had at the last sync is sent")
	return nil
}

// begin makes the sources of a database, or notes what it is now, and takes away what isn't sent any more.
func (s *sender) begin(ctx context.Context, p *Plan, o Options) (err error) {
	if s.source, err = saveSource(ctx, s.db, s.conn, p.extent, o); err != nil {
		return err
	}
	if err := s.reviseBy(ctx, !p.IsEmpty()); err != nil {
		return err
	}
	if p.isFiltered() || p.again { // They may be about conversations that aren't sent any more, and have texts of another level.
		if _, err := s.conn.Exec(ctx, "write to", "DELETE FROM lcm.findings WHERE source_id = $1", s.source); err != nil {
			return err
		}
		if _, err := s.conn.Exec(ctx, "write to", "UPDATE lcm.sources SET checked_at = NULL, compared_at = NULL WHERE source_id = $1", s.source); err != nil {
			return err
		}
	}
	if err := s.limitDeleted(ctx, p); err != nil || !p.KeepsDeleted {
		return err
	}
	s.deleted, err = saveDeletedSource(ctx, s.conn, s.source)
	return err
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
	return s.conn.Transact(ctx, "write to", func() error {
		if err := s.reviseBy(ctx, false); err != nil {
			return err
		}
		const query = "UPDATE lcm.sources SET stamp = $2, structure = $3, synced_at = now(), file_bytes = $4 WHERE source_id = $1"
		if _, err := s.conn.Exec(ctx, "write to", query, s.source, p.stamp, p.structure, s.db.Size()); err != nil {
			return err
		}
		if _, err := s.conn.Exec(ctx, "write to", "UPDATE lcm.sources SET synced_at = now() WHERE source_id = $1", s.deleted); err != nil {
			return err
		}
		if p.IsEmpty() {
			return nil
		}
		return audit(ctx, s.conn, auditEntry{
			action: "sync", source: s.source, name: o.Source, principal: o.Principal, origin: o.Origin,
			detail: map[string]any{
				"level": p.Level, "redacted": p.Redacted, "rows": s.sent.Rows, "deleted": s.sent.Deleted, "kept": s.sent.Kept, "file_bytes": s.db.Size(),
			},
		})
	})
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
