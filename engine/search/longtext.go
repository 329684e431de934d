package search

import (
	"context"
	"io"
	"strings"
	"unicode/utf8"
)

// matchesLong reports whether a very long text has a match. An expression reads some megabytes a
// second, so that it goes on no longer than the context; its answer has no meaning then.
func (m regexpMatcher) matchesLong(ctx context.Context, text string) bool {
	if !m.mayMatch(text) {
		return false
	}
	prefix, isWhole := m.LiteralPrefix()
	at := strings.Index(text, prefix)
	if at < 0 || isWhole {
		return at >= 0
	}
	return m.MatchReader(&endingReader{ctx: ctx, text: text[at:]}) // What begins with letters looks at nothing before them.
}

// endingReader reads a text that ends when its context does.
type endingReader struct {
	ctx   context.Context
	text  string
	runes int // That were read.
}

// runesPerCheck is how many characters are read between two looks at the context.
const runesPerCheck = 4096

// ReadRune implements io.RuneReader.
func (r *endingReader) ReadRune() (char rune, size int, err error) {
	r.runes++
	if len(r.text) == 0 || r.runes%runesPerCheck == 0 && r.ctx.Err() != nil {
		return 0, 0, io.EOF
	}
	char, size = utf8.DecodeRuneInString(r.text)
	r.text = r.text[size:]
	return char, size, nil
}
