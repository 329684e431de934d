package retrieve

import (
	"context"

	"lcm-tui/data"
)

// Engine works as Run without the tool's check of the pattern: the goldens of the engine have patterns
// that the tool refuses.
func (r GrepRequest) Engine(ctx context.Context, db *data.DB, scope Scope) (*GrepResult, error) {
	return r.run(ctx, db, scope)
}

// OfNewest has a regular expression read fewer rows.
func (r GrepRequest) OfNewest(rows int) GrepRequest {
	r.mostRows = rows
	return r
}

// HasCJK is hasCJK.
var HasCJK = hasCJK

// What queries become, and what is refused of them.
var (
	FTSQuery    = ftsQuery
	Trigrams    = func(query string) string { return parseCJK(query).trigrams() }
	RegexSyntax = regexSyntax
	LikeSnippet = likeSnippet
	ParseJSTime = parseJSTime
	IsRefused   = func(pattern string) bool {
		_, refusal := GrepRequest{Pattern: pattern}.complete().compile()
		return refusal != ""
	}
)
