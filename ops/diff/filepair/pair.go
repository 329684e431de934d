package filepair

import (
	"context"
	"slices"
	"strings"

	"lcm-tui/data"
)

// Side is one of the two files.
type Side int

// The sides.
const (
	Before Side = iota
	After
)

// schema returns the side's name in SQL.
func (s Side) schema() string { return [...]string{"main", data.OtherSchema}[s] }

// alias returns the name of a row of the side in SQL.
func (s Side) alias() string { return [...]string{"b", "a"}[s] }

// other returns the opposite side.
func (s Side) other() Side { return 1 - s }

// Lineage says how rows of one file are found in the other.
type Lineage string

// The lineages.
const (
	ByID      Lineage = "id"      // One file was copied from the other: equal ids name the same row.
	ByMeaning Lineage = "meaning" // By session key and time, transcript entry, role and hash, or text.
)

// Pair is two databases on one connection, each in one read transaction that begins with Open
// and ends with Close.
type Pair struct {
	Lineage Lineage
	// Unreadable are what damage kept from being compared, in the order in which it was met.
	Unreadable []Unreadable

	sides         [2]*data.DB
	reader        *data.Reader
	conversations []ConversationPair
	mapped        bool // Rows are matched by the temporary tables of pairs, not by equal ids.
	matched       map[ConversationKey]bool
}

// Open compares two open databases, which stay open longer than the pair. A lineage that is known
// is given; an empty one is found out.
func Open(ctx context.Context, before, after *data.DB, known Lineage) (*Pair, error) {
	reader, err := data.OpenPairReader(ctx, before, after)
	if err != nil {
		return nil, err
	}
	p := &Pair{Lineage: known, sides: [2]*data.DB{before, after}, reader: reader, matched: map[ConversationKey]bool{}}
	if err := p.pairConversations(ctx); err != nil {
		_ = p.Close()
		return nil, err
	}
	return p, nil
}

// Close ends both transactions.
func (p *Pair) Close() error { return p.reader.Close() }

// has reports whether both files have the table with these columns.
func (p *Pair) has(table string, columns ...string) bool {
	return p.sides[Before].Schema().Has(table, columns...) && p.sides[After].Schema().Has(table, columns...)
}

// common returns the columns that the table has in both files, in the order of the first.
func (p *Pair) common(table string) []string {
	return slices.DeleteFunc(p.sides[Before].Schema().Columns(table), func(c string) bool {
		return !p.sides[After].Schema().Has(table, c)
	})
}

// each runs a query of the pair.
func (p *Pair) each(ctx context.Context, verb, query string, args []any, fn func(data.RowScanner) error) error {
	return p.reader.EachRow(ctx, verb, query, args, fn)
}

// quoted returns a column of a row in SQL.
func quoted(alias, column string) string { return alias + "." + data.QuoteName(column) }

// words returns the words of a text, as lists of names are written here.
func words(s string) []string { return strings.Fields(s) }
