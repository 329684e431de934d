package integrity

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/change"
)

// storageCheck checks the file as a whole.
type storageCheck struct {
	found *findings
	file  *fileScan
}

// checkCounters finds counters for new ids that are too low.
func (c *storageCheck) checkCounters(ctx context.Context) error {
	behind, err := data.LowCounters(ctx, c.file.db)
	for table, n := range behind {
		c.found.add(IDCounterBehind, rowAt("sqlite_sequence", table), fmt.Sprintf("the counter is at %d, the highest id is %d", n[0], n[1]))
	}
	return err
}

// checkReferences finds rows that refer to rows which don't exist.
func (c *storageCheck) checkReferences(ctx context.Context) error {
	if !c.file.wants(ReferenceDangling) {
		return nil
	}
	violations, err := data.Violations(ctx, c.file.db)
	for _, v := range violations {
		key := slices.Clone(v.Key)
		if v.Table == "context_items" && len(key) == 2 {
			key = key[1:]
		}
		first := ""
		if len(key) > 0 {
			first = key[0]
		}
		f := c.found.add(ReferenceDangling, rowAt(v.Table, first), fmt.Sprintf("the row of %s that it names doesn't exist", v.Parent))
		f.Conversation = v.Conversation
		if len(key) > 1 {
			f.Rows = key
		}
	}
	return err
}

// checkTables finds tables and columns that are missing or outdated.
func (c *storageCheck) checkTables(context.Context) error {
	if c.file.db.Kind().Relative {
		return nil
	}
	schema := c.file.db.Schema()
	for _, t := range schema.Missing() {
		c.found.add(TablesIncomplete, rowAt("sqlite_master", t), "the table "+t+" doesn't exist; what depends on it wasn't checked")
	}
	for _, column := range schema.MissingColumns() {
		c.found.add(TablesIncomplete, rowAt("sqlite_master", column), "the column "+column+" doesn't exist; what depends on it wasn't checked")
	}
	if _, ok := c.file.db.Replica(); ok { // It has no search tables of SQLite.
		return nil
	}
	for _, t := range schema.BrokenFTS {
		c.found.add(TablesIncomplete, rowAt("sqlite_master", t), "the search table "+t+" lacks an inner table, or is of a form that hosts no longer write")
	}
	for _, t := range []string{data.MessageIndex, data.SummaryIndex} {
		if !slices.Contains(schema.FTS, t) && !slices.Contains(schema.BrokenFTS, t) {
			c.found.add(TablesIncomplete, rowAt("sqlite_master", t), "there is no search table "+t+"; the host makes and fills it at its next start if its SQLite can").downgrade()
		}
	}
	return nil
}

// checkPages runs SQLite's own check, which covers search tables too.
func (c *storageCheck) checkPages(ctx context.Context) (*findings, error) {
	f := &findings{}
	err := data.PageCheck(ctx, c.file.db, 100, func(line string) {
		id, index := PagesDamaged, ""
		for _, t := range []string{data.SummaryTrigrams, data.SummaryIndex, data.MessageIndex} {
			if index == "" && strings.Contains(line, t) && (strings.Contains(line, "FTS5") || strings.Contains(line, "fts5")) {
				id, index = SearchTableDamaged, t
			}
		}
		finding := f.add(id, rowAt("sqlite_master", index), strings.Join(strings.Fields(line), " "))
		if strings.Contains(line, "constraint failed") || strings.HasPrefix(line, "NULL value in") {
			finding.Severity = Error // A constraint is broken, and no page is damaged.
		}
	})
	return f, err
}

// addUnreadable adds a finding if reads of this check met damage.
func (c *storageCheck) addUnreadable() {
	var verbs []string
	for _, w := range c.file.db.Warnings() {
		var e *data.Error
		if errors.Is(w, data.ErrDamaged) && !errors.Is(w, data.ErrIncomplete) && errors.As(w, &e) {
			verbs = append(verbs, e.Verb)
		}
	}
	if len(verbs) > 0 {
		slices.Sort(verbs)
		c.found.add(PagesDamaged, rowAt("", ""), c.unreadableDetail(slices.Compact(verbs)))
	}
}

// unreadableDetail says where reads failed, and what wasn't checked for that reason.
func (c *storageCheck) unreadableDetail(verbs []string) string {
	failed := "these reads failed: " + strings.Join(verbs, ", ")
	tables := c.file.incompleteTables()
	if len(tables) == 0 {
		return failed + "; there may be more findings"
	}
	return "not read completely: " + strings.Join(tables, ", ") + ", so what compares with them wasn't checked, and there may be more findings; " + failed
}

// Unreadable returns the diagnosis of a file that can't be opened.
func Unreadable(err error) Diagnosis {
	var f findings
	f.add(PagesDamaged, rowAt("", ""), err.Error())
	return newDiagnosis([]Finding{*f.list[0]})
}

// checkTrash finds records of removals whose trash is gone, so that they can't be undone. It
// looks at the path in the record, and beside the database, which may have been moved.
func (c *storageCheck) checkTrash(ctx context.Context) error {
	records, err := change.History(ctx, c.file.db)
	for _, r := range records {
		receipt, ok := change.ReceiptOf(r)
		beside := filepath.Join(data.TrashFolder(c.file.db.Path()), filepath.Base(receipt.Path))
		if ok && !r.Undone() && !isFile(receipt.Path) && !isFile(beside) {
			c.found.add(TrashMissing, rowAt("lcm_tui_undo", formatID(r.ID)), fmt.Sprintf("%s: there is no file %s", clip(r.Title), receipt.Path))
		}
	}
	return err
}

// checkFilesBeside looks at what lies beside the database: the size of the write-ahead log, and
// the permissions of backups. It opens none of them.
func (c *storageCheck) checkFilesBeside(context.Context) error {
	if file, log := data.FileBytes(c.file.db.Path()); log > file {
		c.found.add(LogLargerThanFile, rowAt("files", c.file.db.Path()+"-wal"), fmt.Sprintf("it has %d bytes, the database %d", log, file))
	}
	backups, err := data.Backups(c.file.db.Path())
	if err != nil {
		return nil // Nothing is known about a folder that can't be read.
	}
	for _, b := range backups {
		if b.ReadableByOthers {
			c.found.add(BackupReadable, rowAt("files", b.Path), fmt.Sprintf("its permissions are %04o, so other users of this machine may read it", b.Mode.Perm()))
		}
	}
	return nil
}
