package data

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"database/sql/driver"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"

	"modernc.org/sqlite"
)

// coreColumns are the columns that the core tables have in every version of the
// format, as far as they are read. The first one is the key, where that is one column.
var coreColumns = map[string]string{
	"conversations":    "conversation_id session_id title created_at updated_at",
	"messages":         "message_id conversation_id seq role content token_count created_at",
	"message_parts":    "part_id message_id part_type ordinal text_content tool_call_id tool_name tool_input tool_output metadata",
	"summaries":        "summary_id conversation_id kind depth content token_count earliest_at latest_at descendant_count created_at file_ids",
	"summary_messages": "summary_id message_id ordinal",
	"summary_parents":  "summary_id parent_summary_id ordinal",
	"context_items":    "conversation_id ordinal item_type message_id summary_id created_at",
	"large_files":      "file_id conversation_id file_name mime_type byte_size storage_uri exploration_summary created_at",
}

// otherColumns are the columns that a table which came later has had from the start,
// as far as they are read. Such a table may be missing.
var otherColumns = map[string]string{
	"conversation_bootstrap_state":        "conversation_id session_file_path last_seen_size last_seen_mtime_ms last_processed_offset last_processed_entry_hash updated_at",
	"conversation_compaction_telemetry":   "conversation_id last_observed_cache_read last_observed_cache_write last_observed_cache_hit_at last_observed_cache_break_at cache_state retention updated_at",
	"conversation_compaction_maintenance": "conversation_id pending requested_at reason running last_started_at last_finished_at last_failure_summary token_budget current_token_count updated_at",
	"focus_briefs":                        "brief_id conversation_id session_key prompt content status token_count target_tokens covered_latest_at covered_message_seq error created_at updated_at",
	"focus_brief_sources":                 "brief_id summary_id ordinal role created_at",
	"lcm_migration_state":                 "step_name algorithm_version completed_at",
}

// MissingColumns returns the columns, as table.column, that every version of the format
// has in tables that the file has, and that the file lacks.
func (s *Schema) MissingColumns() (out []string) {
	for _, columns := range []map[string]string{coreColumns, otherColumns} {
		for table, names := range columns {
			for _, c := range strings.Fields(names) {
				if s.Has(table) && !s.Has(table, c) {
					out = append(out, table+"."+c)
				}
			}
		}
	}
	slices.Sort(out)
	return out
}

// damage is what reads of a file met that kept them from all that it holds.
type damage struct {
	mu         sync.Mutex
	warnings   []error         // In the order in which they were found.
	reads      []error         // What reads met; in the order of their texts, since many read at once.
	incomplete map[string]bool // Core tables of which a read met damage.
	uncounted  []string        // Tables of which a count met damage.
}

// Warn keeps err, once, for Warnings: what was found isn't all that the file holds.
func (d *damage) Warn(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	same := func(o error) bool { return o.Error() == err.Error() }
	if !slices.ContainsFunc(d.warnings, same) {
		d.warnings = append(d.warnings, err)
	}
}

// warnRead works as Warn for what a read met.
func (d *damage) warnRead(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	at, there := slices.BinarySearchFunc(d.reads, err, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	if !there {
		d.reads = slices.Insert(d.reads, at, err)
	}
}

// Warnings returns what went wrong so far without stopping a read, what reads met last: what is
// shown isn't all that the file holds. Each may have a Hint.
func (d *damage) Warnings() []error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Concat(d.warnings, d.reads)
}

// isDamaged reports whether a read has met a damaged page.
func (d *damage) isDamaged() bool {
	return slices.ContainsFunc(d.Warnings(), func(err error) bool { return errors.Is(err, ErrDamaged) })
}

// noteIncomplete remembers the tables in a query that met damage.
func (d *damage) noteIncomplete(query string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.incomplete == nil {
		d.incomplete = map[string]bool{}
	}
	for _, word := range strings.FieldsFunc(query, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) }) {
		if coreColumns[word] != "" {
			d.incomplete[word] = true
		}
	}
}

// isIncomplete reports whether a query of a table met damage.
func (d *damage) isIncomplete(table string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.incomplete[table]
}

// NoteUncounted notes a table whose rows a count met damage in.
func (d *damage) NoteUncounted(table string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !slices.Contains(d.uncounted, table) {
		d.uncounted = append(d.uncounted, table)
		slices.Sort(d.uncounted)
	}
}

// UncountedTables returns the tables whose rows couldn't be counted, in order: numbers of them in
// Stats are too low, or missing.
func (d *damage) UncountedTables() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.uncounted)
}

// IncompleteTables returns the core tables that can't be read whole, in order: they are missing,
// lack columns, or a read that asked for them met damage.
func (db *DB) IncompleteTables() (out []string) {
	for _, table := range CoreTables {
		if db.isIncomplete(table) || !db.schema.Has(table, strings.Fields(coreColumns[table])...) {
			out = append(out, table)
		}
	}
	return out
}

// standInViews returns statements that put a temporary view before each table that the file
// lacks, or that lacks columns: SQLite looks for names there first. What is missing reads as
// NULL, so that no read has to check.
func (s *Schema) standInViews() (out []string) {
	for _, table := range CoreTables {
		out = append(out, s.standInView(table, strings.Fields(coreColumns[table]))...)
	}
	for table, columns := range otherColumns {
		if s.Has(table) {
			out = append(out, s.standInView(table, strings.Fields(columns))...)
		}
	}
	return out
}

func (s *Schema) standInView(table string, columns []string) []string {
	if s.Has(table, columns...) {
		return nil
	}
	var exprs []string
	has := s.Columns(table)
	for i, c := range columns {
		switch key := s.Key(table); {
		case slices.Contains(has, c):
		case i == 0 && len(key) == 1 && !slices.Contains(columns, key[0]):
			exprs = append(exprs, QuoteName(key[0])+" AS "+QuoteName(c)) // It has another name.
		default:
			exprs = append(exprs, "NULL AS "+QuoteName(c))
		}
	}
	for _, c := range has {
		exprs = append(exprs, QuoteName(c))
	}
	from := " FROM main." + QuoteName(table)
	switch {
	case table == "conversations" && len(has) == 0:
		exprs[0], from = "conversation_id", " FROM ("+s.mentionedConversations()+")"
	case len(has) == 0:
		from = " WHERE 0"
	case s.tables[table].rowid && !slices.Contains(has, "rowid"):
		exprs = append(exprs, "rowid AS rowid")
	}
	return []string{"CREATE TEMP VIEW " + QuoteName(table) + " AS SELECT " + strings.Join(exprs, ", ") + from}
}

// mentionedConversations returns a query for the conversations to which other tables refer.
func (s *Schema) mentionedConversations() string {
	parts := []string{"SELECT NULL AS conversation_id WHERE 0"}
	for _, table := range []string{"messages", "summaries", "context_items"} {
		if s.Has(table, "conversation_id") {
			parts = append(parts, "SELECT conversation_id FROM main."+table)
		}
	}
	return strings.Join(parts, " UNION ")
}

// openPool opens a pool of which every connection runs these statements first. A connection
// that was opened while allowed fails isn't used.
func openPool(name string, statements []string, allowed func() error) (*sql.DB, error) {
	base, err := sqlite.NewConnector(name)
	if err != nil {
		return nil, err
	}
	return openPoolOf(base, statements, allowed), nil
}

// openPoolOf works as openPool for another connector.
func openPoolOf(base driver.Connector, statements []string, allowed func() error) *sql.DB {
	return sql.OpenDB(preparingConnector{base, statements, allowed})
}

// preparingConnector is a connector that runs statements on every new connection. They may
// change nothing but the connection's own temporary schema: the file is open for
// reading only.
type preparingConnector struct {
	driver.Connector
	statements []string
	allowed    func() error
}

// Connect implements driver.Connector.
func (p preparingConnector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := p.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	if err := p.allowed(); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	if len(p.statements) == 0 {
		return conn, nil
	}
	all := slices.Concat([]string{"PRAGMA temp_store = MEMORY", "PRAGMA query_only = 0"}, p.statements, []string{"PRAGMA query_only = 1"})
	for _, s := range all {
		if err := execute(ctx, conn, s); err != nil {
			return nil, errors.Join(err, conn.Close())
		}
	}
	return conn, nil
}

func execute(ctx context.Context, conn driver.Conn, statement string) error {
	e, ok := conn.(driver.ExecerContext)
	if !ok {
		return errors.New("this SQLite driver runs no statements")
	}
	_, err := e.ExecContext(ctx, statement, nil)
	return err
}

// IsCoreColumn reports whether every version of the format has the column, and it is
// read.
func IsCoreColumn(table, column string) bool {
	return slices.Contains(strings.Fields(coreColumns[table]), column)
}

// HasTable reports whether the file has a table of this program's own by now: the first
// write makes it, maybe since the file was opened.
func HasTable(ctx context.Context, q Querier, name string) (some bool, err error) {
	_, err = One(ctx, q, "read history", "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE name = ?)", []any{name}, &some)
	return some, err
}

// SchemaDigest returns the SHA-256 of the statements of the schema, in order.
func SchemaDigest(ctx context.Context, q Querier) (string, error) {
	const query = `SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite!_%' ESCAPE '!'
		AND tbl_name NOT LIKE 'lcm!_tui!_%' ESCAPE '!' ORDER BY sql`
	h := sha256.New()
	err := Each(ctx, q, "read schema", query, nil, func(scan RowScanner) error {
		var sql Text
		err := scan(&sql)
		_, _ = fmt.Fprintf(h, "%s;\n", sql) // A hash takes everything.
		return err
	})
	return hex.EncodeToString(h.Sum(nil)), err
}

// IsFormatTable reports whether some version of the format has a table of this name for rows of
// the host. Search tables are none: they follow the rows.
func IsFormatTable(name string) bool {
	for _, tables := range []map[string]string{coreColumns, otherColumns, generationOneColumns} {
		if _, ok := tables[name]; ok {
			return true
		}
	}
	return false
}
