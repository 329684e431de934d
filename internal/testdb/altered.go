package testdb

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testlength"
)

// Alteration is one way in which the tables of a file may differ from those that
// hosts make.
type Alteration struct {
	Name   string // Such as "drop messages" or "blob messages.seq".
	Table  string
	Column string // Empty where the whole table is meant.
	Level  fakehost.Level
	faults []string // What the sample has beforehand: rows in the tables of 1.0.
	script string
}

// wrongValues are cells that no host writes, by the name of what they are.
var wrongValues = map[string]string{
	"text": "'no number, no id'", "null": "NULL", "huge": "9223372036854775807", "least": "(-9223372036854775807 - 1)",
}

// Alterations returns those of the newest sample of 0.x, and those of the tables that came with
// 1.0: each table dropped, each column renamed, each column that names rows full of blobs,
// and each table with values of a wrong type in all columns. The tables of 1.0 also stand
// without keys, as copies of them do.
func Alterations(t testing.TB) []Alteration {
	t.Helper()
	out := alterationsOf(t, Alteration{Level: fakehost.Head}, func(table string) bool {
		return !strings.Contains(table, "_fts") && !strings.HasPrefix(table, "sqlite_")
	})
	pending := Alteration{Level: fakehost.Beta, faults: faults.NamesAt(fakehost.Beta)}
	out = append(out, alterationsOf(t, pending, func(table string) bool {
		return strings.HasPrefix(table, "pending_") || strings.Contains(table, "transcript_") || table == "turn_advancements"
	})...)
	if testlength.Short() {
		return dropsAndSome(out)
	}
	return out
}

// alterationsOf returns those of the tables of a sample for which is reports true.
func alterationsOf(t testing.TB, sample Alteration, is func(table string) bool) (out []Alteration) {
	t.Helper()
	schema := Open(t, Sample(t, sample.Level)).Schema()
	add := func(what, table, column, script string) {
		a := sample
		a.Name, a.Table, a.Column, a.script = what, table, column, script
		out = append(out, a)
	}
	for _, table := range schema.Tables() {
		if !is(table) {
			continue
		}
		add("drop "+table, table, "", "DROP TABLE "+table)
		if sample.Level == fakehost.Beta {
			add("keyless "+table, table, "", "CREATE TABLE renamed AS SELECT * FROM "+table+"; DROP TABLE "+table+"; ALTER TABLE renamed RENAME TO "+table)
		}
		columns := schema.Columns(table)
		for _, column := range columns {
			if slices.Contains(unread, column) {
				continue
			}
			name := table + "." + column
			add("rename "+name, table, column, "ALTER TABLE "+table+" RENAME COLUMN "+column+" TO renamed")
			if strings.HasSuffix(column, "_id") || slices.Contains(schema.Key(table), column) {
				add("blob "+name, table, column, "UPDATE OR IGNORE "+table+" SET "+column+" = x'00ff80'")
			}
		}
		for kind, value := range wrongValues {
			var script strings.Builder
			for _, column := range columns {
				script.WriteString("UPDATE OR IGNORE " + table + " SET " + column + " = " + value + ";\n")
			}
			add(kind+" "+table, table, "", script.String())
		}
	}
	return out
}

// unread are columns that no host fills and nothing reads.
var unread = strings.Fields(`is_ignored is_synthetic tool_status tool_error tool_title patch_hash patch_files file_mime
	file_url subtask_prompt subtask_desc subtask_agent step_reason step_cost step_tokens_in step_tokens_out
	snapshot_hash compaction_auto`)

// Altered returns a sample with an alteration; ok is false where the file's rules don't
// allow it.
func Altered(t testing.TB, a Alteration) (path string, ok bool) {
	t.Helper()
	path = Sample(t, a.Level, a.faults...)
	if err := faults.Alter(path, a.script); err != nil {
		_ = os.RemoveAll(filepath.Dir(path))
		return "", false
	}
	return path, true
}

// Required reports whether the alteration takes away what every file of every version
// has.
func (a Alteration) Required() bool {
	kind, _, _ := strings.Cut(a.Name, " ")
	if kind == "drop" {
		return slices.Contains(data.CoreTables, a.Table)
	}
	return kind == "rename" && data.IsCoreColumn(a.Table, a.Column)
}

// dropsAndSome returns the alterations that drop a table, and every twelfth of the others.
func dropsAndSome(all []Alteration) (some []Alteration) {
	slices.SortFunc(all, func(a, b Alteration) int { return strings.Compare(a.Name, b.Name) })
	for i, a := range all {
		if i%12 == 0 || strings.HasPrefix(a.Name, "drop ") {
			some = append(some, a)
		}
	}
	return some
}
