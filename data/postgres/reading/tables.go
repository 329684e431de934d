package reading

import (
	"slices"
	"strconv"
	"strings"

	"lcm-tui/data/postgres"
	"lcm-tui/data/postgres/translate"
)

// sourceTables says what stands in the place of each table of a source.
type sourceTables struct {
	source Source
	odd    map[string][]string // Columns that can't hold some of their cells, by table.
	imaged []string            // Tables of the replica of which some rows are images.
}

// rowNumbers are the columns that are the numbers of rows.
var rowNumbers = map[string]string{"conversations": "conversation_id", "messages": "message_id"}

// table returns the rows of a table of the file.
func (t *sourceTables) table(name string) (translate.Table, bool) {
	if of, ok := strings.CutPrefix(name, translate.ColumnsOf+"("); ok {
		return translate.Table{Query: t.columns(strings.TrimSuffix(of, ")"))}, true
	}
	file, there := t.source.tables[name]
	described, ok := postgres.TableOf(name)
	switch {
	case name == "sqlite_master":
		return translate.Table{Query: t.master()}, true
	case ok && !there && name == "conversations":
		return translate.Table{Query: t.mentioned()}, true
	case ok:
		return t.described(described, file), true
	case there:
		return translate.Table{Query: t.images(name, file), HasNumber: true}, true
	}
	return translate.Table{}, false
}

// described returns the rows of a table that the replica has. A row has the number by which it came into the replica, unless
// a column is that number: rows come in the order in which the file has them.
func (t *sourceTables) described(table postgres.Table, file postgres.FileTable) translate.Table {
	hasNumber := slices.ContainsFunc(file.Columns, func(c postgres.FileColumn) bool { return c.Name == "rowid" })
	more := ""
	if !hasNumber {
		number := `CAST(split_part(trim(CAST(ctid AS text), '()'), ',', 1) AS bigint) * 65536 + CAST(split_part(trim(CAST(ctid AS text), '()'), ',', 2) AS bigint)`
		if of := rowNumbers[table.Name]; of != "" {
			number = quoted(of)
		}
		more = ", " + number + ` AS "rowid"`
	}
	var odd []string
	for _, c := range t.odd[table.Name] {
		from := "FROM lcm.odd_cells o WHERE " + t.oddCell(table, c) + ")"
		more += ", (SELECT o.class || ' ' || coalesce(encode(o.bytes, 'hex'), '') " + from + " AS " + quoted(translate.OddCell(c)) +
			", (SELECT o.bytes " + from + " AS " + quoted(translate.OddBytes(c))
		if _, known := table.Column(c); known {
			odd = append(odd, c)
		}
	}
	for _, c := range file.Columns {
		if _, known := table.Column(c.Name); !known {
			more += ", " + t.exactText(table, c) + " AS " + quoted(c.Name)
		}
	}
	times := timesOf(table)
	for _, c := range times {
		more += ", " + quoted(c) + " IS NOT NULL AND " + quoted(c+postgres.RawEnd) + " IS NULL AS " + quoted(translate.UsualTime(c))
	}
	query := table.Subquery(t.source.id)
	at := strings.LastIndex(query, " FROM lcm.")
	query = query[:at] + more + query[at:]
	if slices.Contains(t.imaged, table.Name) {
		query = strings.TrimSuffix(query, ")") + " UNION ALL " + t.imagesOf(table, file, t.odd[table.Name], hasNumber) + ")"
	}
	return translate.Table{Query: query, Odd: odd, Times: times, HasNumber: true}
}

// timesOf returns the columns of a table that the server has as times.
func timesOf(table postgres.Table) (out []string) {
	for _, c := range table.Columns {
		if c.Kind == postgres.KindInstant || c.Kind == postgres.KindMillis {
			out = append(out, c.Name)
		}
	}
	return out
}

// exactText returns the cell of a column that the replica doesn't have.
func (t *sourceTables) exactText(table postgres.Table, column postgres.FileColumn) string {
	kind := "text"
	if column.Number {
		kind = "bigint"
	}
	if !slices.Contains(t.odd[table.Name], column.Name) {
		return "CAST(NULL AS " + kind + ")"
	}
	class := "o.class <> 'blob'"
	if column.Number {
		class = "o.class = 'integer'"
	}
	return `(SELECT CAST(convert_from(o.bytes, 'UTF8') AS ` + kind + `) FROM lcm.odd_cells o WHERE ` + t.oddCell(table, column.Name) + " AND " + class + ")"
}

// oddCell returns the condition that a row o of odd_cells is about a cell of the present row.
func (t *sourceTables) oddCell(table postgres.Table, column string) string {
	var key []string
	for _, k := range table.Key {
		key = append(key, "to_json(lcm."+table.Name+"."+quoted(k)+")::text")
	}
	return "o.source_id = " + t.id() + " AND o.table_name = " + postgres.Literal(table.Name) + " AND o.column_name = " + postgres.Literal(column) +
		" AND o.row_key = '[' || " + strings.Join(key, " || ',' || ") + " || ']'"
}

// imagesOf returns the images of rows of a table that the replica has otherwise, with the same columns.
func (t *sourceTables) imagesOf(table postgres.Table, file postgres.FileTable, odd []string, hasNumber bool) string {
	there := map[string]bool{}
	for _, c := range file.Columns {
		there[c.Name] = true
	}
	var columns []string
	for _, c := range table.Columns {
		kind := "text"
		switch c.Kind {
		case postgres.KindInteger, postgres.KindBoolean:
			kind = "bigint"
		case postgres.KindReal:
			kind = "double precision"
		}
		value := "CAST(NULL AS " + kind + ")"
		if there[c.Name] && kind == "text" {
			value = "CAST(" + quoted(c.Name) + ` AS text) COLLATE "C"`
		} else if there[c.Name] {
			value = "CAST(substring(CAST(" + quoted(c.Name) + ` AS text) from '^-?\d{1,18}$') AS ` + kind + ")"
		}
		columns = append(columns, value)
	}
	if !hasNumber {
		columns = append(columns, `CAST("rowid" AS bigint)`)
	}
	for range odd {
		columns = append(columns, "NULL", "NULL")
	}
	for _, c := range file.Columns {
		if _, known := table.Column(c.Name); !known {
			columns = append(columns, quoted(c.Name))
		}
	}
	for range timesOf(table) {
		columns = append(columns, "NULL")
	}
	return "SELECT " + strings.Join(columns, ", ") + " FROM " + t.images(table.Name, file) + " AS i"
}

// images returns the rows of a table that the replica has as images.
func (t *sourceTables) images(name string, file postgres.FileTable) string {
	inside := postgres.OtherTable(name, t.source.id, file.Columns)
	var columns []string
	for _, c := range file.Columns {
		column := quoted(c.Name)
		if !c.Number {
			column += ` COLLATE "C" AS ` + column
		}
		columns = append(columns, column)
	}
	number := ""
	if !slices.ContainsFunc(file.Columns, func(c postgres.FileColumn) bool { return c.Name == "rowid" }) {
		columns, number = append(columns, `"rowid"`), `, row_number AS "rowid"`
	}
	at := strings.LastIndex(inside, " FROM lcm.other_rows")
	return "(SELECT " + strings.Join(columns, ", ") + " FROM " + inside[:at] + number + inside[at:] + " AS images)"
}

// mentioned returns the conversations to which other tables refer, for a file without a table of them.
func (t *sourceTables) mentioned() string {
	table, _ := postgres.TableOf("conversations")
	columns := []string{`m."conversation_id"`}
	for _, c := range table.Columns[1:] {
		kind := "text"
		if c.Kind == postgres.KindInteger || c.Kind == postgres.KindBoolean {
			kind = "bigint"
		}
		columns = append(columns, "CAST(NULL AS "+kind+") AS "+quoted(c.Name))
	}
	var parts []string
	for _, name := range []string{"messages", "summaries", "context_items"} {
		parts = append(parts, "SELECT conversation_id FROM lcm."+name+" WHERE source_id = "+t.id())
	}
	return "(SELECT " + strings.Join(columns, ", ") + `, m."conversation_id" AS "rowid" FROM (` + strings.Join(parts, " UNION ") + ") AS m)"
}

// columns returns the list of a table's columns that SQLite gives.
func (t *sourceTables) columns(table string) string {
	rows := []string{"(CAST(NULL AS bigint), CAST(NULL AS text), CAST(NULL AS bigint))"}
	for i, c := range t.source.tables[table].Columns {
		rows = append(rows, "("+strconv.Itoa(i)+", "+postgres.Literal(c.Name)+", "+strconv.Itoa(c.Key)+")")
	}
	return `(SELECT * FROM (VALUES ` + strings.Join(rows, ", ") + `) AS columns("cid", "name", "pk") WHERE "name" IS NOT NULL ORDER BY "cid")`
}

// master returns the list of tables that SQLite keeps.
func (t *sourceTables) master() string {
	rows := []string{"(CAST(NULL AS text), CAST(NULL AS text), CAST(NULL AS text), CAST(NULL AS text))"}
	for name := range t.source.tables {
		rows = append(rows, "('table', "+postgres.Literal(name)+", "+postgres.Literal(name)+", NULL)")
	}
	return `(SELECT * FROM (VALUES ` + strings.Join(rows, ", ") + `) AS master("type", "name", "tbl_name", "sql") WHERE "name" IS NOT NULL)`
}

func (t *sourceTables) id() string { return strconv.FormatInt(t.source.id, 10) }

func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
