package secrets

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/columntexts"
	"lcm-tui/engine/identity"
	"lcm-tui/engine/redact"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/outcome"
	"lcm-tui/internal/sorting"
	"lcm-tui/ops"
	"lcm-tui/ops/reclaim"
)

// maxRounds is how often the file is looked through again for what a host wrote meanwhile.
const maxRounds = 4

// WriteSet implements ops.SetWriter: it replaces the values wherever they stand in the file, then in
// files, and looks for what is left. A value that still is somewhere is in the result and no error.
func (o *Op) WriteSet(ctx context.Context, db *data.DB, p ops.Plan, detail map[string]any, report data.Report) (change.Outcome, error) {
	if o.KeepBackup != "" {
		if _, err := db.Backup(ctx, o.KeepBackup, report); err != nil {
			return change.Outcome{}, ops.BackupError(err)
		}
	}
	known := redact.NewKnown(o.chosen)
	o.Result = &Result{Files: []string{}}
	done, err := o.host.replace(ctx, known)
	defer func() { _ = done() }() // It is called before, where all goes well.
	if err != nil {
		return change.Outcome{}, err
	}
	out, err := o.replaceRows(ctx, db, p, known, detail, report)
	o.Result.Record = out.Record
	if err == nil {
		err = done()
	}
	if err != nil && out.Record == 0 && len(o.Result.Files) > 0 {
		return out, &hint.Error{
			Text: fmt.Sprintf("the sessions of the host are changed, and the memory isn't: %v", err),
			Next: "give the same command again before the host starts", OnScreen: "replace them again before the host starts", Err: err,
		}
	}
	var stopped *change.StoppedError
	if errors.As(err, &stopped) {
		return out, &hint.Error{ // There is no undo of what was replaced.
			Next:     "what was replaced stays replaced, and can't be undone; give the same command again for the rest",
			OnScreen: "what was replaced stays replaced, and can't be undone; look for secrets again, and replace the rest",
			Err:      stopped,
		}
	}
	if err == nil {
		o.reach("rows")
		o.Result.LeftInWAL, err = db.EmptyWAL(ctx, walWait)
	}
	if err == nil {
		err = o.replaceFiles(ctx, db, known)
	}
	if err == nil && !o.ProveLater {
		err = o.Prove(ctx, db, report)
	}
	return out, o.unfinished(err)
}

// unfinished says of an error that rows were replaced before.
func (o *Op) unfinished(err error) error {
	if err == nil || o.Result == nil || o.Result.Record == 0 {
		return err
	}
	return &change.UnfinishedError{Record: o.Result.Record, Err: err, Irreversible: true}
}

// reach tells a test how far it has come.
func (o *Op) reach(step string) {
	if o.reached != nil {
		o.reached(step)
	}
}

// Finish does what needs the database closed, after the plan was applied: it replaces the values in
// session files, and rewrites the file, because pages may hold what was replaced. Where others have the
// database open, the session files stay, and the record says that the pages aren't rewritten.
func (o *Op) Finish(ctx context.Context, database string, report data.Report) error {
	err := o.replaceInTranscripts(ctx, database)
	o.reach("transcripts")
	if ctx.Err() != nil {
		return o.unfinished(ctx.Err())
	}
	_, rewriting := reclaim.File(ctx, database, reclaim.Options{}, report)
	if err == nil && rewriting != nil && ctx.Err() == nil {
		return notRewritten(rewriting)
	}
	return o.unfinished(errors.Join(err, rewriting))
}

// notRewritten says why the file isn't rewritten after all rows were. That the rewriting changes no row is true, and
// would be misunderstood.
func notRewritten(err error) error {
	var steps *outcome.Error
	if errors.As(err, &steps) {
		err = steps.Err
	}
	return &outcome.Error{
		Reached: "the file isn't rewritten, so its pages may hold what was replaced",
		Next:    "the same command again rewrites the file; what was replaced stays replaced, and can't be undone",
		Err:     err,
	}
}

// walWait is how long it is tried to empty the -wal beside other programs.
const walWait = 30 * time.Second

// replaceRows replaces the values in the rows, in rounds, until no row has one.
func (o *Op) replaceRows(ctx context.Context, db *data.DB, p ops.Plan, known *redact.Known, detail map[string]any, report data.Report) (out change.Outcome, err error) {
	for round := range maxRounds {
		rows, err := rowsWith(ctx, db, known, report)
		if err != nil {
			return out, err
		}
		if o.host.kept, err = o.host.keptMessages(ctx, db, rows); err != nil {
			return out, err
		}
		o.Result.KeptMessages = len(o.host.kept)
		rows = slices.DeleteFunc(rows, o.host.keeps)
		if len(rows) == 0 && round > 0 {
			break
		}
		w := &rowWriter{op: o, rows: rows, known: known, change: o.replacement(db, known), searches: searchesOf(db)}
		w.change.Hash = o.rehash
		if isOne(db) {
			w.change.Hash = o.host.rehash
		}
		if err := o.host.findGoingOn(ctx, db); err != nil {
			return out, err
		}
		tables, err := columntexts.Tables(ctx, db)
		if err != nil {
			return out, err
		}
		if err := w.change.ReadRecords(ctx, db, tables); err != nil {
			return out, err
		}
		text, err := json.Marshal(detail)
		if err != nil {
			return out, err
		}
		now, err := change.WriteSet(ctx, db, change.SetWrite{Op: OpName, Title: p.Title, Detail: text, Erase: true, NoUndo: true, Write: w.turn, Report: report})
		if now.Record != 0 {
			out.Record = now.Record
		}
		o.Result.Cells += w.written(err)
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

// rehash returns the identity hash of a message whose text was changed. A host knows the messages of a
// conversation that may go on by their old hashes, as long as its session file has the old texts: where
// that changes as well, the hashes follow with it.
func (o *Op) rehash(m columntexts.Message) string {
	if !o.ForgetHashes && !m.Archived || !identity.IsValid(m.Role, m.Before, m.Hash) {
		return m.Hash
	}
	return identity.Hash(m.Role, m.After)
}

// row is a row that has a value.
type row struct {
	table        *columntexts.Table
	key          []any
	conversation int64
	message      int64  // That it belongs to; 0 for none.
	summary      string // That it belongs to; empty for none.
}

// with reports whether a row belongs to the same message or summary: their search tables have the same text.
func (r row) with(o row) bool {
	return r.message == o.message && r.summary == o.summary && (r.message != 0 || r.summary != "")
}

// rowVisitor collects the rows that have a value.
type rowVisitor struct {
	known *redact.Known
	parts [][]row
}

// Visit implements cells.Visitor.
func (v *rowVisitor) Visit(part int, cell columntexts.Cell, text string) {
	list := v.parts[part]
	if n := len(list); n > 0 && list[n-1].table == cell.Table && slices.Equal(list[n-1].key, cell.Key) {
		return // Another column has one already.
	}
	if !cell.Table.IsReference(cell.Column) && len(v.known.Find(text)) > 0 {
		v.parts[part] = append(list, row{table: cell.Table, key: slices.Clone(cell.Key)})
	}
}

// rowsWith returns the rows that have a value, by conversation, message and summary: those of one stand together.
func rowsWith(ctx context.Context, db *data.DB, known *redact.Known, report data.Report) ([]row, error) {
	tables, err := columntexts.Tables(ctx, db)
	if err != nil {
		return nil, err
	}
	parts, err := columntexts.Divide(ctx, db, tables)
	if err != nil {
		return nil, err
	}
	v := &rowVisitor{known: known, parts: make([][]row, parts.Len())}
	if err := parts.Visit(ctx, v, "looking for every place of the secrets", report); err != nil {
		return nil, err
	}
	rows := slices.Concat(v.parts...)
	for i := range rows {
		at, err := columntexts.Locate(ctx, db, columntexts.Cell{Table: rows[i].table, Key: rows[i].key})
		if err != nil {
			return nil, err
		}
		rows[i].conversation, rows[i].message, rows[i].summary = at.Conversation, at.Message, at.Summary
	}
	sorting.Stable(rows, func(a, b *row) int {
		return cmp.Or(cmp.Compare(a.conversation, b.conversation), cmp.Compare(a.message, b.message), cmp.Compare(a.summary, b.summary))
	})
	return rows, nil
}

// searchesOf returns the search tables that can be written.
func searchesOf(db *data.DB) []string { return slices.Clone(db.Schema().FTS) }

// rowWriter writes the rows of a round in turns.
type rowWriter struct {
	op       *Op
	known    *redact.Known
	change   *columntexts.Replacement
	rows     []row
	next     int // The row that comes next.
	searches []string
	merged   int // How many search tables are merged.
	begun    bool
	cells    []int // How many cells each row before next had.
}

// written returns how many cells are changed in the file. The turn that failed isn't written.
func (w *rowWriter) written(failed error) (cells int) {
	rows := len(w.cells)
	var stopped *change.StoppedError
	switch {
	case errors.As(failed, &stopped):
		rows = int(stopped.Done)
	case failed != nil:
		rows = 0
	}
	for _, n := range w.cells[:rows] {
		cells += n
	}
	return cells
}

// turn writes rows until the turn is full, and those of a message or a summary together: a run that goes on after a
// stop gives other numbers to what is left. After all rows it merges the indexes of the search tables.
func (w *rowWriter) turn(ctx context.Context, t *change.Turn) (done bool, err error) {
	next := w.next
	var notes []note
	for w.next < len(w.rows) && (!t.Full() || w.next > next && w.rows[w.next].with(w.rows[w.next-1])) {
		r := w.rows[w.next]
		replaced, err := w.change.Row(ctx, t, r.table, r.key)
		if err != nil {
			w.next, w.cells = next, w.cells[:next]
			return false, err
		}
		for _, c := range replaced {
			notes = append(notes, note{c.Table, c.Column, c.Key})
		}
		w.cells = append(w.cells, len(replaced))
		w.next++
	}
	if err := w.change.EndTurn(ctx, t); err != nil {
		return false, err
	}
	if w.next == len(w.rows) {
		if err := w.op.host.rehashEntries(ctx, t); err != nil {
			return false, err
		}
	}
	t.Progress(int64(w.next), int64(len(w.rows)), "rows")
	if len(notes) > 0 {
		if err := t.MarkUnclean(ctx); err != nil {
			return false, err
		}
		if err := t.Note(ctx, map[string]any{"secrets": w.op.labels(), "cells": notes}); err != nil {
			return false, err
		}
	}
	for w.next == len(w.rows) && w.merged < len(w.searches) && !t.Full() {
		whole, err := columntexts.Optimize(ctx, t, w.searches[w.merged], !w.begun)
		if err != nil {
			return false, err
		}
		w.begun = !whole
		if whole {
			w.merged++
		}
	}
	return w.next == len(w.rows) && w.merged == len(w.searches), nil
}

// note is a cell that was changed, as the record has it.
type note struct {
	Table  string `json:"table"`
	Column string `json:"column"`
	Key    string `json:"key"`
}

// Chosen returns the rules and numbers of the secrets that the plan replaces, as Choose takes them.
func (o *Op) Chosen() []string { return o.labels() }

// labels returns the rules and numbers of the replaced secrets.
func (o *Op) labels() []string {
	out := make([]string, 0, len(o.chosen))
	for _, f := range o.chosen {
		out = append(out, fmt.Sprintf("%s#%d", f.Rule, o.number[f.Secret]))
	}
	return out
}
