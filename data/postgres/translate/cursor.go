package translate

import (
	"fmt"
	"strings"
)

// mostDepth is how deep expressions and queries may stand in each other.
const mostDepth = 1500

// cursor reads the tokens of a statement one after the other.
type cursor struct {
	tokens []token
	at     int
	depth  int // How deep expressions and queries stand in each other here.
}

// failure is what fail panics with; statement makes an error of it.
type failure struct{ error }

// fail ends the reading.
func (c *cursor) fail(format string, args ...any) {
	panic(failure{fmt.Errorf("%w: %s", ErrUnknown, fmt.Sprintf(format, args...))})
}

func (c *cursor) peek() token { return c.tokens[c.at] }

// ahead returns the token that is n further on.
func (c *cursor) ahead(n int) token {
	return c.tokens[min(c.at+n, len(c.tokens)-1)]
}

func (c *cursor) next() token {
	t := c.tokens[c.at]
	if t.class != end {
		c.at++
	}
	return t
}

// isWord reports whether the next token is a keyword.
func (c *cursor) isWord(keyword string) bool {
	t := c.peek()
	return t.class == word && t.upper == keyword
}

// takeWords takes keywords, if all of them are next.
func (c *cursor) takeWords(keywords ...string) bool {
	for i, k := range keywords {
		if t := c.ahead(i); t.class != word || t.upper != k {
			return false
		}
	}
	c.at += len(keywords)
	return true
}

func (c *cursor) isSymbol(s string) bool {
	t := c.peek()
	return t.class == symbol && t.text == s
}

func (c *cursor) takeSymbol(s string) bool {
	if c.isSymbol(s) {
		c.at++
		return true
	}
	return false
}

func (c *cursor) need(s string) {
	if !c.takeSymbol(s) {
		c.fail("%q is missing before %q", s, c.peek().text)
	}
}

func (c *cursor) needWord(keyword string) {
	if !c.takeWords(keyword) {
		c.fail("%s is missing before %q", keyword, c.peek().text)
	}
}

// name takes a name.
func (c *cursor) name() string {
	t := c.next()
	if t.class != quotedName && (t.class != word || isReserved(t.upper)) {
		c.fail("a name is missing before %q", t.text)
	}
	return t.text
}

// quote returns a name as PostgreSQL's.
func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// reserved are the keywords that are no names without quotes.
var reserved = func() map[string]bool {
	all := map[string]bool{}
	for _, k := range strings.Fields(`SELECT FROM WHERE GROUP ORDER BY HAVING LIMIT OFFSET UNION ALL EXCEPT INTERSECT JOIN LEFT RIGHT FULL INNER CROSS
		OUTER NATURAL ON USING AS AND OR NOT IN IS NULL LIKE GLOB MATCH REGEXP BETWEEN CASE WHEN THEN ELSE END EXISTS CAST COLLATE ESCAPE
		DISTINCT WITH VALUES ISNULL NOTNULL INDEXED FILTER OVER ASC DESC NULLS WINDOW`) {
		all[k] = true
	}
	return all
}()

func isReserved(upper string) bool { return reserved[upper] }

// deeper counts how deep the reader is, and returns what takes it out again.
func (c *cursor) deeper() func() {
	if c.depth++; c.depth > mostDepth {
		c.fail("it is more than %d deep", mostDepth)
	}
	return func() { c.depth-- }
}

// isQuery reports whether a query is next.
func (c *cursor) isQuery() bool { return c.isWord("SELECT") || c.isWord("WITH") || c.isWord("VALUES") }
