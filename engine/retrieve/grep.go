package retrieve

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/jstext"
	"lcm-tui/data/searchwords"
	"lcm-tui/data/textsearch"
)

// GrepRequest is a search for a text, with the meaning that the agent tool lcm_grep gives it.
type GrepRequest struct {
	Pattern string
	Mode    GrepMode // Empty is Regex.
	// Literal searches with FullText for signs of regular expressions like for any other, and doesn't refuse them.
	Literal bool
	In      GrepIn   // Empty is InBoth.
	Files   []string // With InFiles: only these.
	Limit   int64    // For messages, summaries and files each: 1 to 200; 0 is 50.
	Sort    GrepSort // Empty is ByTime, and so is every other order of a regular expression.
	// Since and Before are times as JavaScript reads them; empty is no limit.
	Since, Before string
	// Folder is the files folder. Nothing outside of it is read.
	Folder string
	// Ranks asks for the ranks of all rows, also where their order doesn't need them.
	Ranks bool
	// MaxTime is how long a regular expression, or a search in files, may take; 0 is 2 seconds.
	// One text may take a fortieth of it.
	MaxTime time.Duration
	// mostRows is how many rows of a table a regular expression reads; 0 is mostRegexRows.
	mostRows int
}

// GrepMode is how a pattern is read.
type GrepMode string

// The modes.
const (
	Regex    GrepMode = "regex" // As in JavaScript, without flags.
	FullText GrepMode = "full_text"
)

// GrepIn is what a grep searches.
type GrepIn string

// What a grep searches.
const (
	InMessages  GrepIn = "messages"
	InSummaries GrepIn = "summaries"
	InBoth      GrepIn = "both"
	InFiles     GrepIn = "files"
)

// GrepSort is the order of what a grep finds.
type GrepSort string

// The orders.
const (
	ByTime      GrepSort = "recency"   // The newest first.
	ByRelevance GrepSort = "relevance" // The best first.
	ByBoth      GrepSort = "hybrid"    // The best first, where older ones count less.
)

// MostGrepRows is how many messages, summaries or files an answer has at most.
const MostGrepRows = 200

const (
	defaultGrepLimit = 50
	mostPatternBytes = 64 << 10
	// mostPatternWords is how many words, or characters of CJK, are searched at once: the time of
	// a search table grows with their square, from 0.3 s for so many to minutes for 20,000.
	mostPatternWords = 500
)

// GrepResult is what a grep found. Its JSON is that of the reference engine. Total is the number
// of rows that are given, not of those that there are.
type GrepResult struct {
	Total     int64         `json:"totalMatches"`
	Messages  []GrepMessage `json:"messages,omitzero"` // Nil where files were searched.
	Summaries []GrepSummary `json:"summaries,omitzero"`
	Files     []GrepFile    `json:"files,omitzero"` // Nil where messages or summaries were searched.
	// Notes say what wasn't searched, and what was searched in another way than usual.
	Notes []string `json:"notes,omitempty"`

	request GrepRequest
	scope   Scope
	window  window
}

// GrepMessage is a message that a grep found.
type GrepMessage struct {
	ID           int64   `json:"messageId"`
	Conversation int64   `json:"conversationId"`
	Role         string  `json:"role"`
	Snippet      string  `json:"snippet"`
	CreatedAt    Instant `json:"createdAt"`
	Rank         float64 `json:"rank"`
}

// GrepSummary is a summary that a grep found. Its time is that of the newest message below it.
type GrepSummary struct {
	ID           string  `json:"summaryId"`
	Conversation int64   `json:"conversationId"`
	Kind         string  `json:"kind"`
	Snippet      string  `json:"snippet"`
	CreatedAt    Instant `json:"createdAt"`
	Rank         float64 `json:"rank"`
}

// Run searches. A request that makes no sense is a *ToolError. A blank full-text pattern, and a
// regular expression that is invalid or could take forever, find nothing.
func (r GrepRequest) Run(ctx context.Context, db *data.DB, scope Scope) (*GrepResult, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	return r.run(ctx, db, scope)
}

const fewerWords = "Search for a few telling words of it."

// check refuses a pattern that is too long, and a full-text pattern that only a regular
// expression understands.
func (r GrepRequest) check() error {
	pattern := jstext.Trim(r.Pattern)
	syntax := ""
	if r.Mode == FullText && !r.Literal {
		syntax = regexSyntax(pattern)
	}
	switch {
	case len(pattern) > mostPatternBytes:
		return &ToolError{Message: "The pattern is longer than 64 KB.", Advice: fewerWords}
	case r.Mode == FullText && countWords(pattern) > mostPatternWords:
		return &ToolError{Message: fmt.Sprintf("The pattern has more than %d words.", mostPatternWords), Advice: fewerWords}
	case syntax != "":
		return &ToolError{Message: "full_text mode does not support regex syntax (" + syntax + "). Use mode: \"regex\" for `" + pattern +
			"`, or rewrite the full_text query as 1-3 literal terms or one quoted phrase."}
	}
	return nil
}

func (r GrepRequest) run(ctx context.Context, db *data.DB, scope Scope) (_ *GrepResult, err error) {
	r = r.complete()
	g := &grep{ctx: ctx, db: db, r: r, out: &GrepResult{request: r, scope: scope}}
	if g.out.window, err = windowOf(r.Since, r.Before); err != nil {
		return nil, err
	}
	g.filter = textsearch.GrepFilter{Scope: scope.Scope, Since: g.out.window.since.time, Before: g.out.window.before.time, Limit: int(r.Limit)}
	if r.In == InFiles {
		g.out.Files = []GrepFile{}
	} else {
		g.out.Messages, g.out.Summaries = []GrepMessage{}, []GrepSummary{}
	}
	switch {
	case scope.Empty():
	case r.In == InFiles:
		err = g.files()
	case r.Mode == Regex:
		err = g.regex()
	default:
		err = g.fullText()
	}
	if err != nil {
		return nil, err
	}
	g.out.Total = int64(len(g.out.Messages) + len(g.out.Summaries) + len(g.out.Files))
	return g.out, nil
}

// complete returns the request with its defaults.
func (r GrepRequest) complete() GrepRequest {
	r.Pattern = jstext.Trim(r.Pattern)
	if r.Mode == "" {
		r.Mode = Regex
	}
	if r.In == "" {
		r.In = InBoth
	}
	if r.Limit == 0 {
		r.Limit = defaultGrepLimit
	}
	r.Limit = min(max(1, r.Limit), MostGrepRows)
	if r.MaxTime <= 0 {
		r.MaxTime = defaultGrepTime
	}
	r.mostRows = cmp.Or(r.mostRows, mostRegexRows)
	if r.Sort == "" || r.Mode == Regex {
		r.Sort = ByTime
	}
	return r
}

// grep is a request that is being answered.
type grep struct {
	ctx    context.Context //nolint:containedctx // It lives as long as the request.
	db     *data.DB
	r      GrepRequest
	filter textsearch.GrepFilter
	out    *GrepResult
}

func (g *grep) inMessages() bool  { return g.r.In == InMessages || g.r.In == InBoth }
func (g *grep) inSummaries() bool { return g.r.In == InSummaries || g.r.In == InBoth }

// note says something once, whichever table it is about.
func (g *grep) note(text string) {
	if !slices.Contains(g.out.Notes, text) {
		g.out.Notes = append(g.out.Notes, text)
	}
}

func (g *grep) addMessage(row textsearch.GrepRow, snippet string) {
	id, _ := strconv.ParseInt(row.ID, 10, 64)
	g.out.Messages = append(g.out.Messages, GrepMessage{id, row.Conversation, jstext.Decode(row.Label), jstext.Decode(snippet), Instant(row.At), row.Rank})
}

func (g *grep) addSummary(row textsearch.GrepRow, snippet string) {
	g.out.Summaries = append(g.out.Summaries, GrepSummary{row.ID, row.Conversation, jstext.Decode(row.Label), jstext.Decode(snippet), Instant(row.At), row.Rank})
}

// fullText searches for words and phrases.
func (g *grep) fullText() error {
	if g.r.Pattern == "" {
		return nil
	}
	if g.inMessages() {
		if err := g.fullTextMessages(); err != nil {
			return err
		}
	}
	if g.inSummaries() {
		return g.fullTextSummaries()
	}
	return nil
}

// fullTextMessages searches in messages. Their search table knows no words of CJK.
func (g *grep) fullTextMessages() error {
	if hasCJK(g.r.Pattern) {
		return g.likeMessages()
	}
	rows, ok, err := g.match(textsearch.GrepMessages, data.MessageIndex, ftsQuery(g.r.Pattern), nil)
	switch {
	case err != nil:
		return err
	case !ok:
		return g.likeMessages()
	}
	for _, row := range rows {
		g.addMessage(row, row.Text)
	}
	return nil
}

func (g *grep) fullTextSummaries() error {
	if hasCJK(g.r.Pattern) {
		return g.cjkSummaries()
	}
	rows, ok, err := g.match(textsearch.GrepSummaries, data.SummaryIndex, ftsQuery(g.r.Pattern), nil)
	switch {
	case err != nil:
		return err
	case !ok:
		return g.likeSummaries()
	}
	for _, row := range rows {
		g.addSummary(row, row.Text)
	}
	return nil
}

// match searches in a search table. Where that can't answer, ok is false, and a note says so: then
// the caller reads every text. Its error is that of the context.
func (g *grep) match(t textsearch.GrepTable, index, query string, like []string) (rows []textsearch.GrepRow, ok bool, err error) {
	if of, isReplica := g.db.Replica(); isReplica {
		return g.matchWords(of, t)
	}
	if !g.db.Schema().Searchable(index) {
		g.note("the search table " + index + " is missing or damaged, so every text was read")
		return nil, false, nil
	}
	order := textsearch.GrepOrder{Rank: g.r.Sort == ByRelevance || g.r.Sort == ByBoth, Aged: g.r.Sort == ByBoth, Now: g.db.Now()}
	q := textsearch.GrepQuery{Index: index, Expression: query, Like: like}
	if index != data.SummaryTrigrams {
		_, phrases := phrasesOf(g.r.Pattern)
		q.Snippet = func(text string) string {
			return searchwords.NewText(jstext.Decode(text)).Snippet(phrases, snippetWords)
		}
	}
	rows, err = t.Match(g.ctx, g.db, q, g.filter, order, g.r.Ranks || order.Rank)
	if err == nil {
		return rows, true, nil
	}
	if err := g.ctx.Err(); err != nil {
		return nil, false, err
	}
	g.note("the search table " + index + " couldn't answer, so every text was read: " + err.Error())
	return nil, false, nil
}

// likeMessages searches for all terms in the texts of messages. The texts are compared again as
// hosts index them, so that fewer than the limit may be left.
func (g *grep) likeMessages() error {
	terms := likeTerms(g.r.Pattern)
	if len(terms) == 0 {
		return nil
	}
	rows, err := g.like(textsearch.GrepMessages, eachAlone(terms))
	for _, row := range rows {
		text := data.IndexText(jstext.Decode(row.Text))
		if containsAll(jstext.Lower(text), terms) {
			g.addMessage(row, likeSnippet(text, terms))
		}
	}
	return err
}

func (g *grep) likeSummaries() error {
	terms := likeTerms(g.r.Pattern)
	if len(terms) == 0 {
		return nil
	}
	return g.likeGroups(eachAlone(terms), terms)
}

func (g *grep) likeGroups(groups [][]string, terms []string) error {
	rows, err := g.like(textsearch.GrepSummaries, groups)
	for _, row := range rows {
		g.addSummary(row, likeSnippet(jstext.Decode(row.Text), terms))
	}
	return err
}

// cjkSummaries searches for runs of CJK in the search table of trigrams, or, where that finds
// nothing, by parts of two characters.
func (g *grep) cjkSummaries() error {
	q := parseCJK(g.r.Pattern)
	of, isReplica := g.db.Replica()
	switch {
	case !q.long():
	case isReplica: // The server has no trigrams: the same parts are looked for.
		if err := g.partsOfSummaries(of, q); err != nil || len(g.out.Summaries) > 0 {
			return err
		}
	case g.db.Schema().Searchable(data.SummaryTrigrams):
		rows, _, err := g.match(textsearch.GrepSummaries, data.SummaryTrigrams, q.trigrams(), q.latin)
		if err != nil {
			return err
		}
		for _, row := range rows {
			g.addSummary(row, row.Text)
		}
		if len(rows) > 0 {
			return nil
		}
	}
	return g.likeGroups(q.groups(2))
}

// eachAlone makes each term a group of its own.
func eachAlone(terms []string) (groups [][]string) {
	for _, t := range terms {
		groups = append(groups, []string{t})
	}
	return groups
}

func containsAll(text string, terms []string) bool {
	for _, t := range terms {
		if !strings.Contains(text, t) {
			return false
		}
	}
	return true
}
