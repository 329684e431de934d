package columntexts

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/jstext"
)

// counterImages brings the counters of summaries that older records have images of into step with
// those of the rows: an undo compares both.
type counterImages struct {
	records map[string][]recordKey // By summary: the records with an image of it.
	deleted map[string][]string    // By row: the summaries made of it whose links were deleted.
	// grown is by how many tokens the text of a row has grown in the images of a record, before and
	// after.
	grown map[recordKey]map[string][2]int64
	notes []counterNote // What the turn has changed.
}

// recordKey names a row of a table with changes.
type recordKey struct {
	table string
	row   int64
}

// counterNote is a row whose text grew, and the summaries whose counter went along.
type counterNote struct {
	row       string
	column    string
	more      int64
	summaries []string
}

func recordOf(t *Table, key []any) recordKey {
	row, _ := key[0].(int64)
	return recordKey{t.Name, row}
}

// rowOfChange names the row that a recorded change is about.
func rowOfChange(change jstext.Value) string {
	image := change.Field("after")
	if !image.IsObject() {
		image = change.Field("before")
	}
	table := change.Field("table").Text()
	if table == "messages" {
		return rowName(table, string(image.Field("message_id")))
	}
	return rowName(table, image.Field("summary_id").Text())
}

func rowName(table, id string) string { return table + " " + id }

// ReadRecords finds the records with images of summaries. Without it they aren't brought into step.
func (r *Replacement) ReadRecords(ctx context.Context, db *data.DB, tables []*Table) error {
	r.images = counterImages{records: map[string][]recordKey{}, deleted: map[string][]string{}, grown: map[recordKey]map[string][2]int64{}}
	for _, t := range tables {
		if !strings.HasPrefix(t.Name, "lcm_tui_undo") || !t.Has("changes") || !t.HasNumbers() {
			continue
		}
		query := "SELECT rowid, changes FROM " + quote(t.Name) + " WHERE instr(changes, '_token_count') > 0"
		err := db.EachRow(ctx, "read "+t.Name, query, nil, func(scan data.RowScanner) error {
			var row int64
			var changes data.Text
			err := scan(&row, &changes)
			for c := range jstext.Value(changes).Elements() {
				r.images.readLink(c)
				if id, is := strings.CutPrefix(rowOfChange(c), "summaries "); is && !slices.Contains(r.images.records[id], recordKey{t.Name, row}) {
					r.images.records[id] = append(r.images.records[id], recordKey{t.Name, row})
				}
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// readLink keeps a link between a summary and what it was made of, if the change deleted one.
func (c *counterImages) readLink(change jstext.Value) {
	before := change.Field("before")
	row := ""
	switch change.Field("table").Text() {
	case "summary_messages":
		row = rowName("messages", string(before.Field("message_id")))
	case "summary_parents":
		row = rowName("summaries", before.Field("parent_summary_id").Text())
	}
	if row != "" && before.IsObject() && !change.Field("after").IsObject() {
		c.deleted[row] = append(c.deleted[row], before.Field("summary_id").Text())
	}
}

// addDeleted adds the summaries above a row that were deleted with their links.
func (c *counterImages) addDeleted(ctx context.Context, turn *change.Turn, row string, summaries []string) ([]string, error) {
	next := []string{row}
	for _, id := range summaries {
		next = append(next, rowName("summaries", id))
	}
	for ; len(next) > 0; next = next[1:] {
		for _, id := range c.deleted[next[0]] {
			live := slices.Contains(summaries, id)
			err := turn.EachRow(ctx, "SELECT 1 FROM summaries WHERE summary_id = ?", []any{id}, func(data.RowScanner) error { live = true; return nil })
			if err != nil {
				return nil, err
			}
			if !live {
				summaries = append(summaries, id)
				next = append(next, rowName("summaries", id))
			}
		}
	}
	return summaries, nil
}

func (c *counterImages) noteImage(record recordKey, row string, grown [2]int64) {
	if c.grown == nil {
		return
	}
	if c.grown[record] == nil {
		c.grown[record] = map[string][2]int64{}
	}
	c.grown[record][row] = grown
}

// note keeps that the counters of the summaries above a row were changed.
func (c *counterImages) note(ctx context.Context, turn *change.Turn, t *Table, key []any, column, upward string, more int64) error {
	if len(c.records) == 0 {
		return nil
	}
	n := counterNote{column: column, more: more}
	err := turn.EachRow(ctx, upward, key, func(scan data.RowScanner) error {
		var id data.Text
		err := scan(&id)
		n.summaries = append(n.summaries, string(id))
		return err
	})
	if err != nil {
		return err
	}
	id := "message_id"
	if t.Name == "summaries" {
		id = "summary_id"
	}
	query := "SELECT " + id + " FROM " + quote(t.Name) + " WHERE " + t.where()
	err = turn.EachRow(ctx, query, key, func(scan data.RowScanner) error {
		var name data.Text
		err := scan(&name)
		n.row = rowName(t.Name, string(name))
		return err
	})
	if err != nil {
		return err
	}
	n.summaries, err = c.addDeleted(ctx, turn, n.row, n.summaries)
	c.notes = append(c.notes, n)
	return err
}

// EndTurn writes the counters of the summaries that the turn has changed into the images of older
// records. It belongs to the same transaction.
func (r *Replacement) EndTurn(ctx context.Context, turn *change.Turn) error {
	records := map[recordKey][]counterNote{}
	for _, n := range r.images.notes {
		for _, id := range n.summaries {
			for _, record := range r.images.records[id] {
				if all := records[record]; len(all) == 0 || all[len(all)-1].row != n.row || all[len(all)-1].column != n.column {
					records[record] = append(all, n)
				}
			}
		}
	}
	r.images.notes = nil
	for record, notes := range records {
		if err := r.images.count(ctx, turn, record, notes); err != nil {
			return fmt.Errorf("bring record %d into step: %w", record.row, err)
		}
	}
	return nil
}

// count adds to the counters in the images of one record.
func (c *counterImages) count(ctx context.Context, turn *change.Turn, record recordKey, notes []counterNote) error {
	var changes data.Text
	query := "SELECT changes FROM " + quote(record.table) + " WHERE rowid = ?"
	err := turn.EachRow(ctx, query, []any{record.row}, func(scan data.RowScanner) error {
		return errors.Join(scan(&changes), data.ErrEndRows)
	})
	if err != nil && !errors.Is(err, data.ErrEndRows) || changes == "" {
		return err
	}
	var out []jstext.Value
	for change := range jstext.Value(changes).Elements() {
		if id, is := strings.CutPrefix(rowOfChange(change), "summaries "); is {
			change = c.counted(record, change, id, notes)
		}
		out = append(out, change)
	}
	after := string(jstext.Array(out))
	if after == string(changes) {
		return nil
	}
	_, err = turn.Exec(ctx, "UPDATE "+quote(record.table)+" SET changes = ? WHERE rowid = ?", after, record.row)
	return err
}

// counted returns a recorded change of a summary with its counters in step.
func (c *counterImages) counted(record recordKey, change jstext.Value, id string, notes []counterNote) jstext.Value {
	var o jstext.Object
	for name, image := range change.Fields() {
		side := slices.Index(imageSides, name)
		for _, n := range notes {
			if side < 0 || !slices.Contains(n.summaries, id) {
				continue
			}
			more := n.more
			if own, some := c.grown[record][n.row]; some { // The record knows the text itself.
				more = own[side]
			}
			if count, err := strconv.ParseInt(string(image.Field(n.column)), 10, 64); err == nil && count > 0 {
				image = withNumber(image, n.column, max(0, count+more))
			}
		}
		o.Put(name, image)
	}
	return o.Value()
}
