package retrieve

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/jstext"
	"lcm-tui/data/textsearch"
	"lcm-tui/engine/jsregexp"
	"lcm-tui/internal/lazyregexp"
)

// The limits of a regular expression. The first two are the reference's.
const (
	mostPatternUnits = 500
	mostRegexRows    = 10_000 // The newest of each table.
	defaultGrepTime  = 2 * time.Second
)

// forever are patterns that may take forever: a repeated group that ends with a repetition, and
// one with alternatives.
var forever = lazyregexp.New(`[*+?}]\)[*+?{]|\([^()]*\|[^()]*\)[*+?{]`)

// compile returns the pattern as a regular expression, or why there is none: it is invalid, too long, or could
// take forever. Such a pattern finds nothing.
func (r GrepRequest) compile() (re *jsregexp.Regexp, refusal string) {
	const nothing = ": nothing was searched"
	switch {
	case jstext.Length(r.Pattern) > mostPatternUnits:
		return nil, fmt.Sprintf("a regular expression has at most %d characters%s", mostPatternUnits, nothing)
	case forever.MatchString(r.Pattern):
		return nil, "the pattern repeats a group that has alternatives or ends with a repetition, which could take forever" + nothing
	}
	re, err := jsregexp.Compile(r.Pattern, r.MaxTime/40)
	var syntax *jsregexp.SyntaxError
	if errors.As(err, &syntax) {
		refusal = "the pattern is no regular expression of JavaScript (" + syntax.Reason + ")" + nothing
		if strings.HasPrefix(r.Pattern, "(?i)") {
			refusal += "; full_text ignores case"
		}
	}
	return re, refusal
}

// expression returns the pattern as a regular expression, or nil and a note that says why it finds nothing.
func (g *grep) expression() *jsregexp.Regexp {
	re, refusal := g.r.compile()
	if refusal != "" {
		g.note(refusal)
	}
	return re
}

// regex searches the newest rows of each table.
func (g *grep) regex() error {
	re := g.expression()
	if re == nil {
		return nil
	}
	until := time.Now().Add(g.r.MaxTime)
	if g.inMessages() {
		if err := g.scan(textsearch.GrepMessages, re, until, func(row textsearch.GrepRow, match string) int {
			g.addMessage(row, match)
			return len(g.out.Messages)
		}); err != nil {
			return err
		}
	}
	if !g.inSummaries() {
		return nil
	}
	return g.scan(textsearch.GrepSummaries, re, until, func(row textsearch.GrepRow, match string) int {
		g.addSummary(row, match)
		return len(g.out.Summaries)
	})
}

// scan searches the newest rows of a table until there are enough of them; add returns how many
// there are.
func (g *grep) scan(t textsearch.GrepTable, re *jsregexp.Regexp, until time.Time, add func(row textsearch.GrepRow, match string) int) error {
	f := g.filter
	f.Limit = g.r.mostRows + 1
	noun := map[bool]string{true: "messages", false: "summaries"}[t == textsearch.GrepMessages]
	n, slow, stopped := 0, 0, ""
	err := t.EachNewest(g.ctx, g.db, f, func(row textsearch.GrepRow) error {
		if stopped != "" { // There is another row.
			g.note(stopped)
			return data.ErrEndRows
		}
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
		n++
		switch {
		case time.Now().After(until):
			stopped = "the search was stopped early, at " + Instant(row.At).String() + ": what is older was not searched"
		case n == g.r.mostRows:
			stopped = "only the newest " + grouped(int64(n)) + " " + noun + " were searched, back to " + Instant(row.At).String() + ": `before` searches older ones"
		}
		return nil
	})
	if slow > 0 {
		g.note(fmt.Sprintf("the pattern took too long on %d texts, which were left out", slow))
	}
	return err
}
