package replica

import (
	"context"
	"errors"

	"lcm-tui/data"
	"lcm-tui/data/postgres"
	"lcm-tui/internal/parallel"
)

// Plan is what a sync would send.
type Plan struct {
	Source   string `json:"source"`
	Replica  string `json:"replica"` // The address, without a password.
	Level    Level  `json:"level"`
	Redacted bool   `json:"redacted"`
	Filter   Filter `json:"filter,omitzero"`
	// KeepsDeleted says that rows that the host deleted go to a source of their own.
	KeepsDeleted bool `json:"keeps_deleted,omitempty"`
	Unchanged    bool `json:"unchanged"` // The file is as it was when everything was last equal.
	IsNew        bool `json:"new_source"`
	Full         bool `json:"compared_every_byte"`
	// Unsearchable is how many conversations of the replica have texts that can't be searched before the sync, as after fleet init.
	Unsearchable int `json:"unsearchable_conversations,omitempty"`
	Amount

	changes changes
	known   Source
	extent  extent
	stamp   string
	// structure is what the file's tables, its migrations and the changes of this program are like.
	structure string
	again     bool // Everything the replica has is sent again: another level, or with other secrets.
}

// Amount is how much a sync sends.
type Amount struct {
	// How many conversations the replica doesn't have, lacks the newest messages of, has other rows of, and has
	// although the file doesn't.
	New      int `json:"new_conversations"`
	Appended int `json:"continued_conversations"`
	Replaced int `json:"changed_conversations"`
	Gone     int `json:"deleted_conversations"`
	Tables   int `json:"other_tables"`
	// NoConversation says that rows of no conversation differ.
	NoConversation bool `json:"rows_of_no_conversation"`
	// Rows and Bytes are about what is sent.
	Rows  int64 `json:"rows"`
	Bytes int64 `json:"bytes"`
}

// IsEmpty reports whether nothing has to be sent.
func (p *Plan) IsEmpty() bool {
	return !p.IsNew && !p.again && len(p.changes.groups)+len(p.changes.tables)+len(p.changes.gone) == 0
}

// isFiltered reports whether other conversations are sent than at the sync before.
func (p *Plan) isFiltered() bool { return !p.IsNew && p.Filter.text() != p.known.Filter.text() }

// MakePlan finds out what has to be sent, and sends nothing.
func MakePlan(ctx context.Context, db *data.DB, conn *postgres.Conn, o Options) (*Plan, error) {
	p, err := beginPlan(ctx, db, conn, o)
	if err != nil || p.Unchanged {
		return p, err
	}
	if !p.IsNew {
		if err := checkSame(ctx, db, p.known, o.Host); err != nil {
			return nil, err
		}
	}
	return p, p.compare(ctx, db, conn, o)
}

// beginPlan finds out what is known of the source, and whether the file is as it was. It reads nothing of the file. It fails where
// another file stands at its path: the stamp is that of the path, and rows would be those of the file that was opened.
func beginPlan(ctx context.Context, db *data.DB, conn *postgres.Conn, o Options) (*Plan, error) {
	p := &Plan{Source: o.Source, Replica: conn.Place()}
	if err := checkName(o.Source); err != nil {
		return nil, err
	}
	known, ok, err := findSource(ctx, conn, o.Source)
	if err != nil {
		return nil, err
	}
	p.known, p.IsNew, p.extent = known, !ok, o.extent(known)
	p.Level, p.Redacted = p.extent.level, p.extent.mask != nil
	p.Filter, p.KeepsDeleted = p.extent.filter, p.extent.keepsDeleted
	stamp, settled := stampOf(db, p.extent)
	if err := db.CheckPath(); err != nil {
		return nil, err
	}
	p.stamp = stamp
	p.Full = o.Full || !ok || known.ComparedAt == nil || now(o).Sub(*known.ComparedAt) >= every(o)
	p.Unchanged = ok && settled && stamp == known.stamp && !p.Full
	p.again = ok && (known.Level != p.Level || known.Redacted != p.Redacted)
	if !ok || p.Level == LevelMetrics {
		return p, nil
	}
	const query = `SELECT count(*) FROM lcm.sync_conversations g JOIN lcm.sources s USING (source_id) WHERE g.search_from IS NOT NULL AND (s.source_id = $1 OR s.deleted_of = $1)`
	_, err = conn.One(ctx, "read", query, []any{known.ID}, &p.Unsearchable)
	return p, err
}

// compare reads what the file has, and what of that the replica doesn't have.
func (p *Plan) compare(ctx context.Context, db *data.DB, conn *postgres.Conn, o Options) error {
	has := newFileState(byIndex)
	if !p.IsNew && !p.again {
		var err error
		if has, err = readKnown(ctx, conn, p.known.ID); err != nil {
			return err
		}
	}
	return snapshot(ctx, db, "compare", compareCache, p.extent, func(t *data.Tx, r *rowReader) error {
		s, err := readShapeOf(ctx, t, p.extent)
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
		file, indexes := newFileState(depth), newFileState(depth)
		var errs [2]error
		var work parallel.Group
		if depth == byIndex { // Of another moment of the file, maybe: then its stamp is another one, too, and the next sync compares again.
			work.Go(func() {
				errs[0] = snapshot(ctx, db, "compare", compareCache, p.extent, func(_ *data.Tx, r *rowReader) error { return readIndexes(ctx, r, s, has, indexes) })
			})
		}
		errs[1] = readState(ctx, r, s, has, file, o.Report)
		work.Wait()
		if err := errors.Join(errs[:]...); err != nil {
			return err
		}
		file.addIndexes(indexes)
		file.estimate(db.Size())
		p.changes = compare(file, has, r.chosen)
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
		switch {
		case c.group == noGroup:
			p.NoConversation = true
		case c.how == isNew:
			p.New++
		case c.how == isAppended:
			p.Appended++
		case c.how == isReplaced:
			p.Replaced++
		case c.how == isGone:
			p.Gone++
		}
		if c.how == isGone {
			continue
		}
		if p.Level != LevelMetrics { // Else they are counted, and not sent.
			p.Rows += c.rows
			p.Bytes += c.bytes
		}
	}
	for _, name := range p.changes.tables {
		p.Rows += file.tables[name].rows
		p.Bytes += file.tables[name].bytes
	}
	p.Tables = len(p.changes.tables) + len(p.changes.gone)
}
