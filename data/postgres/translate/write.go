package translate

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Kind is what a column of a table that is written holds.
type Kind string

// The kinds of columns.
const (
	TextColumn    Kind = "text"
	IntegerColumn Kind = "integer"
	RealColumn    Kind = "real"
)

// Relation is a table that statements may change.
type Relation struct {
	Name    string // As PostgreSQL knows it, with its schema.
	Columns map[string]Kind
	// Identity is the column that gets a number where an INSERT gives it none, or empty.
	Identity string
}

// Relations says which tables statements may change. ok is false where there is no such table.
type Relations func(name string) (r Relation, ok bool)

// Written is a statement of PostgreSQL that changes rows.
type Written struct {
	Text  string
	Table string // The name of the table in SQLite's statement.
	// Returns says that the statement returns rows: those that it says after RETURNING, or the numbers that its
	// rows got.
	Returns bool
	// Numbered says that the returned rows are the numbers that new rows got.
	Numbered bool
	// Rows is how many rows an INSERT adds if it doesn't fail, or 0 where only the server can tell.
	Rows int64
	// Highest is the highest number that an INSERT gives to a new row of a table with an identity, or 0.
	Highest int64
}

// WriteStatement returns an INSERT, UPDATE or DELETE of SQLite as one of PostgreSQL. The parameters and errors are those of
// Statement. A value that the column wouldn't hold as SQLite does, such as a BLOB in a column of text, is an error.
func WriteStatement(query string, args []any, tables Tables, relations Relations) (out Written, err error) {
	if strings.Contains(query, placeSign) {
		return out, fmt.Errorf("%w: a NUL character", ErrUnknown)
	}
	all, err := tokens(query)
	if err != nil {
		return out, err
	}
	p := &writer{parser: &parser{cursor: cursor{tokens: all}, args: args, tables: tables, ctes: map[string]int{}}, relations: relations}
	if err = p.caught(p.write); err != nil {
		return out, fmt.Errorf("%w, in %q", err, shortened(query))
	}
	p.out.Text = p.withoutPlaces(p.text.String())
	return p.out, nil
}

// writer reads a statement that changes rows, and writes the other one.
type writer struct {
	*parser
	relations Relations
	relation  Relation
	text      strings.Builder
	out       Written
}

// write reads the statement.
func (w *writer) write() {
	switch {
	case w.takeWords("INSERT"):
		w.insert()
	case w.takeWords("UPDATE"):
		w.update()
	case w.takeWords("DELETE", "FROM"):
		w.target("DELETE FROM ")
		w.where()
	default:
		w.fail("%q at the beginning of a statement that changes rows", w.peek().text)
	}
	w.returning()
	w.takeSymbol(";")
	if w.peek().class != end {
		w.fail("what follows %q", w.peek().text)
	}
}

// target reads the name of the table that is changed, and writes what stands before and in its place.
func (w *writer) target(before string) {
	name := w.name()
	if w.takeSymbol(".") {
		if !strings.EqualFold(name, "main") {
			w.fail("the database %s", name)
		}
		name = w.name()
	}
	relation, ok := w.relations(name)
	if !ok {
		w.fail("the table %s", name)
	}
	w.relation, w.out.Table = relation, name
	w.text.WriteString(before + relation.Name + " AS " + quote(name))
}

// columnName reads the name of a column of the table.
func (w *writer) columnName() string {
	name := w.name()
	if _, ok := w.relation.Columns[name]; !ok {
		w.fail("the column %s of %s", name, w.out.Table)
	}
	return name
}

func (w *writer) insert() {
	ignores := w.takeWords("OR", "IGNORE")
	w.needWord("INTO")
	w.target("INSERT INTO ")
	w.need("(")
	var columns, quotedColumns []string
	for {
		c := w.columnName()
		columns, quotedColumns = append(columns, c), append(quotedColumns, quote(c))
		if !w.takeSymbol(",") {
			break
		}
	}
	w.need(")")
	w.text.WriteString(" (" + strings.Join(quotedColumns, ", ") + ") ")
	if w.isWord("VALUES") {
		w.rows(columns)
	} else {
		w.text.WriteString(queries{w.parser}.query())
	}
	switch {
	case ignores:
		w.text.WriteString(" ON CONFLICT DO NOTHING")
		w.out.Rows = 0
	case w.takeWords("ON", "CONFLICT"):
		w.conflict()
		w.out.Rows = 0
	}
	for _, c := range columns {
		if c == w.relation.Identity {
			return
		}
	}
	if w.relation.Identity != "" && !w.isWord("RETURNING") {
		w.text.WriteString(" RETURNING " + quote(w.relation.Identity))
		w.out.Returns, w.out.Numbered = true, true
	}
}

// rows reads the rows of an INSERT.
func (w *writer) rows(columns []string) {
	w.needWord("VALUES")
	w.text.WriteString("VALUES ")
	for first := true; first || w.takeSymbol(","); first = false {
		if !first {
			w.text.WriteString(", ")
		}
		w.need("(")
		for i, c := range columns {
			if i > 0 {
				w.need(",")
				w.text.WriteString(", ")
			} else {
				w.text.WriteString("(")
			}
			w.text.WriteString(w.assigned(c))
		}
		w.need(")")
		w.text.WriteString(")")
		w.out.Rows++
	}
}

// assigned reads the value that a column gets.
func (w *writer) assigned(column string) string {
	e := w.expression()
	if e.kind == parameterKind {
		w.checkValue(column, w.args[e.number-1])
		if number, ok := w.args[e.number-1].(int64); ok && column == w.relation.Identity {
			w.out.Highest = max(w.out.Highest, number)
		}
	}
	return e.value()
}

// checkValue fails where a column wouldn't hold a value as SQLite does.
func (w *writer) checkValue(column string, value any) {
	kind, ok := w.relation.Columns[column], true
	switch v := value.(type) {
	case []byte:
		ok = false
	case float64:
		ok = kind == RealColumn || kind == IntegerColumn && v == math.Trunc(v) && math.Abs(v) < 1<<53
	case string:
		var err error
		switch kind {
		case IntegerColumn:
			_, err = strconv.ParseInt(v, 10, 64)
		case RealColumn:
			_, err = strconv.ParseFloat(v, 64)
		}
		ok = err == nil
	}
	if !ok {
		w.fail("a value of type %T in %s.%s, which holds %s", value, w.out.Table, column, kind)
	}
}

// conflict reads what an INSERT does where a row with the same key is there.
func (w *writer) conflict() {
	w.text.WriteString(" ON CONFLICT")
	if w.takeSymbol("(") {
		w.text.WriteString(" (" + queries{w.parser}.names() + ")")
	}
	w.needWord("DO")
	if w.takeWords("NOTHING") {
		w.text.WriteString(" DO NOTHING")
		return
	}
	w.needWord("UPDATE")
	w.text.WriteString(" DO UPDATE")
	w.set()
	w.where()
}

func (w *writer) update() {
	w.target("UPDATE ")
	w.set()
	w.where()
}

// set reads what columns become.
func (w *writer) set() {
	w.needWord("SET")
	w.text.WriteString(" SET ")
	for first := true; first || w.takeSymbol(","); first = false {
		if !first {
			w.text.WriteString(", ")
		}
		c := w.columnName()
		w.need("=")
		w.text.WriteString(quote(c) + " = " + w.assigned(c))
	}
}

func (w *writer) where() {
	if w.takeWords("WHERE") {
		w.text.WriteString(" WHERE " + w.expression().condition())
	}
}

// returning reads which columns of the changed rows are returned.
func (w *writer) returning() {
	if !w.takeWords("RETURNING") {
		return
	}
	items, _, _ := queries{w.parser}.items()
	w.text.WriteString(" RETURNING " + strings.Join(items, ", "))
	w.out.Returns = true
}
