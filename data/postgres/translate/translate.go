package translate

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrUnknown says that a statement has something that this package doesn't know.
var ErrUnknown = errors.New("this statement isn't known to the translation for PostgreSQL")

// Table is what stands in the place of a table's name.
type Table struct {
	Query string // In parentheses.
	// Odd are columns that can't hold some of their cells. For each the query has two more columns, which are NULL where the cell
	// is held: the cell as OddCell names it, a text that the caller understands, and its bytes as OddBytes names it.
	Odd []string
	// HasNumber says that the query has a column rowid: in its order SQLite meets the rows.
	HasNumber bool
	NeverNull []string // Columns that have a value in each row.
	Times     []string // Columns for which the query has another one, which UsualTime names.
}

// OddCell returns the name of the column that has the cells which another column can't hold.
func OddCell(column string) string { return "cell of " + column }

// OddBytes returns the name of the column that has the bytes of such cells.
func OddBytes(column string) string { return "bytes of " + column }

// UsualTime returns the name of the column that says whether a time is known to be one, without reading it.
func UsualTime(column string) string { return "time of " + column }

// The letters that begin a cell of a column that Result.Odd names.
const (
	HeldCell = "h" // The cell as text follows.
	OddText  = "o" // What OddCell has follows.
)

// Tables says what stands in the place of a table's name. ok is false where there is no such table.
type Tables func(name string) (t Table, ok bool)

// BytesOfText is the name by which Tables is asked for the bytes of a text that tables have encoded, as a query with a ? for the text.
// There is none where texts stand as they are.
const BytesOfText = "bytes of text"

// Result is a statement of PostgreSQL.
type Result struct {
	Text string
	// Odd are the columns of the result, by their places from 0, whose cells are texts that begin with HeldCell or OddText.
	Odd []OddColumn
}

// OddColumn is a column of a result.
type OddColumn struct {
	Place         int
	Table, Column string
}

// Statement returns a statement of SQLite that reads as one of PostgreSQL. Parameters become $1, $2 and so on; args are
// their values, of which some decide about the text: the types in a list of JSON, and whether a limit is one. Its errors
// wrap ErrUnknown.
//
// With numbers, texts that are whole numbers are numbers in a VALUES: SQLite makes numbers of them where they are compared with
// numbers.
func Statement(query string, args []any, numbers bool, tables Tables) (Result, error) {
	if strings.Contains(query, placeSign) {
		return Result{}, fmt.Errorf("%w: a NUL character", ErrUnknown)
	}
	all, err := tokens(query)
	if err != nil {
		return Result{}, err
	}
	p := &parser{cursor: cursor{tokens: all}, args: args, numbers: numbers, tables: tables, ctes: map[string]int{}}
	out, err := p.statement()
	if err != nil {
		return Result{}, fmt.Errorf("%w, in %q", err, shortened(query))
	}
	return Result{Text: p.withoutPlaces(out), Odd: p.odd}, nil
}

// shortened returns the beginning of a statement for an error.
func shortened(query string) string {
	query = strings.Join(strings.Fields(query), " ")
	if r := []rune(query); len(r) > 200 {
		return string(r[:200]) + "…"
	}
	return query
}

// parser reads a statement and writes the other one.
type parser struct {
	cursor
	args       []any
	tables     Tables
	numbers    bool           // Texts that are numbers are numbers in a VALUES.
	aggregates int            // How many there were so far.
	marks      int            // The highest parameter so far.
	ctes       map[string]int // Names that WITH gives, and how many times.
	first      kind           // Of the first column of the query that was read last.
	// lastOrder sorts rows that are equal otherwise, in the order in which SQLite meets them.
	lastOrder string
	lastFrom  ordered // What an ORDER BY sorts that follows.
	scope     []named // The tables of the FROM that was read last.
	odd       []OddColumn
	unique    int // Numbers of aliases that were made up.
}

// query reads a query that stands in an expression, or is the statement.
func (p *parser) query() string { return queries{p}.query() }

func (p *parser) statement() (out string, err error) {
	err = p.caught(func() {
		out = p.query()
		p.takeSymbol(";")
		if p.peek().class != end {
			p.fail("what follows %q", p.peek().text)
		}
	})
	return out, err
}

// caught calls fn, and returns the failure that ended it.
func (p *parser) caught(fn func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			failure, ok := r.(failure)
			if !ok {
				panic(r)
			}
			err = failure.error
		}
	}()
	fn()
	return nil
}

// parameter returns the number of a parameter.
func (p *parser) parameter(t token) int {
	n := p.marks + 1
	if t.text != "" {
		var err error
		if n, err = strconv.Atoi(t.text); err != nil || n < 1 {
			p.fail("the parameter ?%s", t.text)
		}
	}
	p.marks = max(p.marks, n)
	if n > len(p.args) {
		p.fail("the parameter %d of %d", n, len(p.args))
	}
	return n
}

// alias makes up a name for a query that has none.
func (p *parser) alias() string {
	p.unique++
	return quote("unnamed " + strconv.Itoa(p.unique))
}
