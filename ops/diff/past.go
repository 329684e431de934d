package diff

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/leftover"
	"lcm-tui/internal/plural"
)

// Past is what a database was before a record, as far as its records tell, beside what it is now.
// Both have only the rows that this record and later ones changed or undid, and those to which
// they belong: all others are the same.
type Past struct {
	Before, Now *data.DB
	// Lost is how many rows the records name without having what they held.
	Lost int
	// Elsewhere are the records that keep no rows themselves: what they changed isn't rebuilt.
	Elsewhere []int64
	folder    string
}

// Close removes both.
func (p *Past) Close() error {
	var errs []error
	for _, db := range []*data.DB{p.Before, p.Now} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	return errors.Join(append(errs, leftover.RemoveFolder(p.folder))...)
}

// Note says what isn't rebuilt, or is empty.
func (p *Past) Note() string {
	var out []string
	if p.Lost > 0 {
		out = append(out, plural.Count(p.Lost, "row", "rows")+" can't be rebuilt: the records keep only their ids")
	}
	for _, id := range p.Elsewhere {
		out = append(out, fmt.Sprintf("record #%d keeps no rows itself, so what it changed isn't compared", id))
	}
	return strings.Join(out, "; ")
}

// BeforeRecord rebuilds what the database was before a record from the rows that this record and
// later ones, and what undid them, replaced. It holds these rows in memory.
func BeforeRecord(ctx context.Context, db *data.DB, record int64) (*Past, error) {
	b := &pastBuilder{db: db, images: map[string]map[string]*image{}}
	if err := b.read(ctx, record); err != nil {
		return nil, err
	}
	folder, err := leftover.CreateFolder("diff")
	if err != nil {
		return nil, fmt.Errorf("make a temporary folder: %w", err)
	}
	p := &Past{folder: folder, Lost: b.lost, Elsewhere: b.elsewhere}
	if err := b.write(ctx, p); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return p, nil
}

// image is a row before the record; a nil row wasn't there. Of a row that was updated it may have
// only what the update saw.
type image struct {
	key, row, now data.Row
}

// before returns the whole row before the record: what no record tells is what it is now.
func (i *image) before() data.Row {
	row := data.Row{}
	maps.Copy(row, i.now)
	maps.Copy(row, i.row)
	return row
}

// pastBuilder gathers the first image of each row.
type pastBuilder struct {
	db     *data.DB
	images map[string]map[string]*image // By table and key.
	lost   int
	// elsewhere are the records without rows.
	elsewhere []int64
}

// event is a record that was applied or undone.
type event struct {
	at     time.Time
	record int64
	undone bool
}

// read gathers the images of a record and of all that happened since.
func (b *pastBuilder) read(ctx context.Context, record int64) error {
	all, err := change.History(ctx, b.db)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(all, func(r change.Record) bool { return r.ID == record })
	if at < 0 {
		_, _, err := change.RecordChanges(ctx, b.db, record) // It says so.
		return err
	}
	var events []event
	for _, r := range all {
		if r.ID >= record {
			events = append(events, event{r.AppliedAt.Time, r.ID, false})
		}
		if r.Undone() && !r.UndoneAt.Before(all[at].AppliedAt.Time) {
			events = append(events, event{r.UndoneAt.Time, r.ID, true})
		}
	}
	slices.SortStableFunc(events, func(x, y event) int {
		if c := x.at.Compare(y.at); c != 0 {
			return c
		}
		return int(max(-1, min(1, x.record-y.record)))
	})
	for _, e := range events {
		if err := b.add(ctx, e); err != nil {
			return err
		}
	}
	return nil
}

// add keeps the rows that an event replaced and no earlier one did.
func (b *pastBuilder) add(ctx context.Context, e event) error {
	_, changes, err := change.RecordChanges(ctx, b.db, e.record)
	if err != nil {
		return err
	}
	if len(changes) == 0 && !slices.Contains(b.elsewhere, e.record) {
		b.elsewhere = append(b.elsewhere, e.record)
	}
	if e.undone {
		changes = change.Invert(changes)
	}
	changes = slices.DeleteFunc(changes, func(c change.Change) bool { return !b.db.Schema().Has(c.Table, c.Key...) }) // Indexes of texts.
	for _, c := range changes {
		if c.Before != nil {
			b.keep(c, c.Before, c.Before)
		}
	}
	for _, c := range changes { // A row may have come to a key that another one had, or none.
		if c.After != nil {
			b.keep(c, c.After, nil)
		}
	}
	return nil
}

// keep keeps what had the key of a row before a change, unless an earlier change told it.
func (b *pastBuilder) keep(c change.Change, keyed, before data.Row) {
	key := data.Row{}
	var name strings.Builder
	for _, k := range c.Key {
		key[k] = keyed[k]
		name.WriteString(data.CellText(keyed[k]) + "\x00")
	}
	if b.images[c.Table] == nil {
		b.images[c.Table] = map[string]*image{}
	}
	if _, seen := b.images[c.Table][name.String()]; seen {
		return
	}
	if c.KeyOnly() && before != nil {
		b.lost++
		return
	}
	b.images[c.Table][name.String()] = &image{key: key, row: before}
}

// write makes the two databases.
func (b *pastBuilder) write(ctx context.Context, p *Past) error {
	was, now := tableRows{}, tableRows{}
	for table, images := range b.images {
		for _, i := range images {
			if err := i.readNow(ctx, b.db, table); err != nil {
				return err
			}
			if i.now != nil {
				now[table] = append(now[table], i.now)
			}
			if i.row != nil {
				row, _ := data.FitRow(b.db, table, i.before())
				was[table] = append(was[table], row)
			}
		}
	}
	owners, err := b.owners(ctx, was, now)
	if err != nil {
		return err
	}
	if p.Before, err = b.create(ctx, filepath.Join(p.folder, "before.db"), was, owners); err != nil {
		return err
	}
	p.Now, err = b.create(ctx, filepath.Join(p.folder, "now.db"), now, owners)
	return err
}

// readNow reads the row as it is now.
func (i *image) readNow(ctx context.Context, db *data.DB, table string) error {
	found, err := data.Images(ctx, db, table, i.key)
	if len(found) > 0 {
		i.now = found[0]
	}
	return err
}

// create makes a database of rows and opens it.
func (b *pastBuilder) create(ctx context.Context, path string, lists ...tableRows) (*data.DB, error) {
	err := data.CreateSubset(ctx, b.db, path, func(insert func(string, data.Row) error) error {
		for _, rows := range lists {
			if err := rows.insert(insert); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return data.Open(ctx, path)
}
