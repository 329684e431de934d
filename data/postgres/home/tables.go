package home

import (
	"context"
	"database/sql"
	"slices"
	"strconv"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/postgres/translate"
)

// sequenceTable is the table in which SQLite keeps the highest numbers that it gave. A home has sequences.
const sequenceTable = "sqlite_sequence"

// numbered are the columns that get numbers which are never given again, by their tables.
var numbered = map[string]string{"conversations": "conversation_id", "messages": "message_id", "lcm_tui_undo": "id"}

// tables are the tables of a home.
type tables struct {
	described map[string]data.ReplicaTable
	kinds     map[string]map[string]translate.Kind
	neverNull map[string][]string
	keys      string // The query for the foreign keys, in parentheses.
}

// catalogQuery reads the columns of the tables of a home in order: the table, the column, its type, whether each row has a value, whether
// a new row needs one, and its place in the primary key.
const catalogQuery = `SELECT c.relname, a.attname, format_type(a.atttypid, NULL), a.attnotnull,
	a.attnotnull AND NOT a.atthasdef AND a.attidentity = '' AND coalesce(array_position(i.indkey::int2[], a.attnum), -1) < 0,
	coalesce(array_position(i.indkey::int2[], a.attnum) + 1, 0)
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
	LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
WHERE c.relnamespace = to_regnamespace('home') AND c.relkind = 'r' ORDER BY c.relname, a.attnum`

// ownTables are tables of a home that no statement of SQLite knows.
var ownTables = []string{"schema_version", "batches", "search_docs", "search_gaps"}

// rowNumber is the column with the order in which rows came.
const rowNumber = "rowid"

// readTables reads which tables a home has.
func readTables(ctx context.Context, pool *sql.DB) (*tables, error) {
	t := &tables{described: map[string]data.ReplicaTable{}, kinds: map[string]map[string]translate.Kind{}, neverNull: map[string][]string{}, keys: foreignKeys}
	err := data.EachRow(ctx, pool, catalogQuery, nil, func(scan data.RowScanner) error {
		var table, kind string
		var c data.ReplicaColumn
		var filled bool
		if err := scan(&table, &c.Name, &kind, &filled, &c.Required, &c.Key); err != nil || slices.Contains(ownTables, table) || c.Name == rowNumber {
			return err
		}
		own := t.described[table]
		own.RowID = true
		if t.kinds[table] == nil {
			t.kinds[table] = map[string]translate.Kind{}
		}
		t.kinds[table][c.Name] = translate.TextColumn
		switch kind {
		case "bigint", "integer":
			c.Number, t.kinds[table][c.Name] = true, translate.IntegerColumn
		case "double precision":
			c.Number, t.kinds[table][c.Name] = true, translate.RealColumn
		}
		if filled {
			t.neverNull[table] = append(t.neverNull[table], c.Name)
		}
		own.Columns = append(own.Columns, c)
		t.described[table] = own
		return nil
	})
	t.described[sequenceTable] = data.ReplicaTable{Columns: []data.ReplicaColumn{{Name: "name"}, {Name: "seq"}}, RowID: true}
	return t, err
}

// foreignKeys has the foreign keys as SQLite lists them.
const foreignKeys = `(SELECT c.relname::text COLLATE "C" AS "of", row_number() OVER (PARTITION BY c.oid ORDER BY k.oid) - 1 AS "id", CAST(0 AS bigint) AS "seq",
	t.relname::text COLLATE "C" AS "table", a.attname::text COLLATE "C" AS "from", b.attname::text COLLATE "C" AS "to", 'NO ACTION' AS "on_delete"
FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_class t ON t.oid = k.confrelid
	JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.conkey[1] JOIN pg_attribute b ON b.attrelid = t.oid AND b.attnum = k.confkey[1]
WHERE k.contype = 'f' AND k.connamespace = to_regnamespace('home') AND c.relname NOT LIKE 'search%')`

// sequences has what SQLite's table of sequences has.
const sequences = `(SELECT * FROM (VALUES ('conversations' COLLATE "C", coalesce(pg_sequence_last_value('home.conversations_conversation_id_seq'), 0), 1),
	('messages', coalesce(pg_sequence_last_value('home.messages_message_id_seq'), 0), 2)) AS s("name", "seq", "rowid"))`

// table returns what stands in the place of a table's name.
func (t *tables) table(name string) (translate.Table, bool) {
	if of, ok := strings.CutPrefix(name, translate.ColumnsOf+"("); ok {
		return translate.Table{Query: t.columns(strings.TrimSuffix(of, ")"))}, true
	}
	switch name {
	case translate.BytesOfText:
		return translate.Table{Query: textBytes}, true
	case "sqlite_master":
		return translate.Table{Query: t.master()}, true
	case translate.ForeignKeysOf:
		return translate.Table{Query: t.keys}, true
	case sequenceTable:
		return translate.Table{Query: sequences, HasNumber: true}, true
	}
	if _, ok := t.described[name]; !ok {
		return translate.Table{}, false
	}
	return translate.Table{Query: "home." + quoted(name), HasNumber: true, NeverNull: t.neverNull[name]}, true
}

// relation returns the table that a statement changes.
func (t *tables) relation(name string) (translate.Relation, bool) {
	kinds, ok := t.kinds[name]
	return translate.Relation{Name: "home." + quoted(name), Columns: kinds, Identity: numbered[name]}, ok
}

// columns returns the list of a table's columns that SQLite gives.
func (t *tables) columns(table string) string {
	rows := []string{"(CAST(NULL AS bigint), CAST(NULL AS text), CAST(NULL AS bigint))"}
	for i, c := range t.described[table].Columns {
		rows = append(rows, "("+strconv.Itoa(i)+", '"+c.Name+"', "+strconv.Itoa(c.Key)+")")
	}
	return `(SELECT * FROM (VALUES ` + strings.Join(rows, ", ") + `) AS columns("cid", "name", "pk") WHERE "name" IS NOT NULL ORDER BY "cid")`
}

// master returns the list of tables that SQLite keeps.
func (t *tables) master() string {
	rows := []string{"(CAST(NULL AS text), CAST(NULL AS text), CAST(NULL AS text), CAST(NULL AS text))"}
	for name := range t.described {
		rows = append(rows, "('table', '"+name+"', '"+name+"', NULL)")
	}
	return `(SELECT * FROM (VALUES ` + strings.Join(rows, ", ") + `) AS master("type", "name", "tbl_name", "sql") WHERE "name" IS NOT NULL)`
}

func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
