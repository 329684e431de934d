package integrity

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"lcm-tui/data"
)

// checkStorage checks tables, id counters and foreign keys of the file.
func (c *checker) checkStorage(ctx context.Context) error {
	c.checkTables()
	behind, err := c.db.LowCounters(ctx)
	if err != nil {
		return err
	}
	for table, n := range behind {
		c.add(IDCounterBehind, rowAt("sqlite_sequence", table), fmt.Sprintf("the counter is at %d, the highest id is %d", n[0], n[1]))
	}
	if !c.wants(ReferenceDangling) {
		return nil
	}
	violations, err := c.db.Violations(ctx)
	for _, v := range violations {
		key := slices.Clone(v.Key)
		if v.Table == "context_items" && len(key) == 2 {
			key = key[1:]
		}
		first := ""
		if len(key) > 0 {
			first = key[0]
		}
		f := c.add(ReferenceDangling, rowAt(v.Table, first), fmt.Sprintf("the row of %s that it names doesn't exist", v.Parent))
		f.Conversation = v.Conversation
		if len(key) > 1 {
			f.Rows = key
		}
	}
	return err
}

// checkTables finds tables and columns that are missing or outdated.
func (c *checker) checkTables() {
	if c.db.Kind().Relative {
		return
	}
	schema := c.db.Schema()
	for _, t := range schema.Missing() {
		c.add(TablesIncomplete, rowAt("sqlite_master", t), "the table "+t+" doesn't exist; what depends on it wasn't checked")
	}
	for _, column := range schema.MissingColumns() {
		c.add(TablesIncomplete, rowAt("sqlite_master", column), "the column "+column+" doesn't exist; what depends on it wasn't checked")
	}
	for _, t := range schema.BrokenFTS {
		c.add(TablesIncomplete, rowAt("sqlite_master", t), "the search table "+t+" lacks an inner table, or is of a form that hosts no longer write")
	}
	for _, t := range []string{data.MessageIndex, data.SummaryIndex} {
		if !slices.Contains(schema.FTS, t) && !slices.Contains(schema.BrokenFTS, t) {
			c.add(TablesIncomplete, rowAt("sqlite_master", t), "there is no search table "+t+"; the host makes and fills it at its next start if its SQLite can").downgrade()
		}
	}
}

// checkPages runs SQLite's own check, which covers search tables too.
func (c *checker) checkPages(ctx context.Context) (*findings, error) {
	f := &findings{}
	err := c.db.PageCheck(ctx, 100, func(line string) {
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
func (c *checker) addUnreadable() {
	var verbs []string
	for _, w := range c.db.Warnings() {
		var e *data.Error
		if errors.Is(w, data.ErrDamaged) && !errors.Is(w, data.ErrIncomplete) && errors.As(w, &e) {
			verbs = append(verbs, e.Verb)
		}
	}
	if len(verbs) > 0 {
		slices.Sort(verbs)
		c.add(PagesDamaged, rowAt("", ""), c.unreadableDetail(slices.Compact(verbs)))
	}
}

// unreadableDetail says which reads failed, and what wasn't checked for that reason.
func (c *checker) unreadableDetail(verbs []string) string {
	detail := "some reads failed, so there may be more findings: " + strings.Join(verbs, ", ")
	if tables := c.incompleteTables(); len(tables) > 0 {
		detail += "; not read completely, so what compares with them wasn't checked: " + strings.Join(tables, ", ")
	}
	return detail
}

// Unreadable is the diagnosis of a file that can't be opened.
func Unreadable(err error) Diagnosis {
	var f findings
	f.add(PagesDamaged, rowAt("", ""), err.Error())
	return newDiagnosis([]Finding{*f.list[0]})
}
