package retrieve

import (
	"errors"
	"fmt"
	"regexp"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/jstext"
	"lcm-tui/data/search"
	"lcm-tui/engine/jsregexp"
)

// The limits of a regular expression. The first two are the reference's.
const (
	mostPatternUnits = 500
	mostRegexRows    = 10_000 // The newest of each table.
	mostRowTime      = 50 * time.Millisecond
	mostRegexTime    = 2 * time.Second
)

// forever are patterns that may take forever: a repeated group that ends with a repetition, and
// one with alternatives.
var forever = regexp.MustCompile(`[*+?}]\)[*+?{]|\([^()]*\|[^()]*\)[*+?{]`)

// compile is a pattern as a regular expression, or nil where it is invalid, too long, or could
// take forever: such a pattern finds nothing.
func compile(pattern string) *jsregexp.Regexp {
	if jstext.Length(pattern) > mostPatternUnits || forever.MatchString(pattern) {
		return nil
	}
	re, err := jsregexp.Compile(pattern, mostRowTime)
	if err != nil {
		return nil
	}
	return re
}

// regex searches the newest rows of each table.
func (g *grep) regex() error {
	re := compile(g.r.Pattern)
	if re == nil {
		return nil
	}
	until := g.until()
	if g.inMessages() {
		if err := g.scan(search.GrepMessages, re, until, func(row search.GrepRow, match string) int {
			g.addMessage(row, match)
			return len(g.out.Messages)
		}); err != nil {
			return err
		}
	}
	if !g.inSummaries() {
		return nil
	}
	return g.scan(search.GrepSummaries, re, until, func(row search.GrepRow, match string) int {
		g.addSummary(row, match)
		return len(g.out.Summaries)
	})
}

// until is when a regular expression has to end.
func (g *grep) until() time.Time {
	if g.r.MaxTime > 0 {
		return time.Now().Add(g.r.MaxTime)
	}
	return time.Now().Add(mostRegexTime)
}

// scan searches the newest rows of a table until there are enough of them; add returns how many
// there are.
func (g *grep) scan(t search.GrepTable, re *jsregexp.Regexp, until time.Time, add func(row search.GrepRow, match string) int) error {
	f := g.filter
	f.Limit = mostRegexRows
	slow := 0
	err := t.EachNewest(g.ctx, g.db, f, func(row search.GrepRow) error {
		match, ok, err := re.Find(row.Text)
		switch {
		case errors.Is(err, jsregexp.ErrTimeout):
			slow++
		case err != nil:
			return err
		}
		if ok && int64(add(row, match)) >= g.r.Limit {
			return data.ErrEndRows
		}
		if time.Now().After(until) {
			g.note("the search was stopped early, at " + Instant(row.At).String() + ": what is older was not searched")
			return data.ErrEndRows
		}
		return nil
	})
	if slow > 0 {
		g.note(fmt.Sprintf("the pattern took too long on %d texts, which were left out", slow))
	}
	return err
}
