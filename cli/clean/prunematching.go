package clean

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/engine/search"
	"lcm-tui/ops"
	"lcm-tui/ops/prune"
	"lcm-tui/ops/prune/proof"
)

// matchingFlags are what texts are forgotten that a search finds.
type matchingFlags struct {
	query, receipt                cli.TextFlag
	regexp, matchCase, wholeWords bool
}

func (m *matchingFlags) bind(fs *pflag.FlagSet) {
	m.query.Noun, m.receipt.Noun = "QUERY", "FILE"
	fs.Var(&m.query, "matching", "text: only messages that lcm-tui search finds with this query")
	fs.BoolVar(&m.regexp, "regexp", false, "matching: what is no filter is one regular expression")
	fs.BoolVar(&m.matchCase, "match-case", false, "matching: upper and lower case differ")
	fs.BoolVar(&m.wholeWords, "whole-words", false, "matching: other forms of a word don't match")
	fs.Var(&m.receipt, "receipt", "matching: write what was forgotten, and what is left of it, to this new file")
}

// options say how the query is read.
func (m *matchingFlags) options(db *data.DB) search.ParseOptions {
	return search.ParseOptions{Regexp: m.regexp, MatchCase: m.matchCase, WholeWord: m.wholeWords, Location: time.UTC, Now: db.Now()}
}

// parse reads the query.
func (m *matchingFlags) parse(db *data.DB) (search.Query, error) {
	q := search.Parse(m.query.Value, m.options(db))
	if q.IsEmpty() {
		reason := strings.Join(q.Notes, "; ")
		if reason == "" {
			reason = "see lcm-tui search --help"
		}
		return q, cli.UsageErrorf("--matching: the query %.100q asks for nothing: %.500s", m.query.Value, reason)
	}
	return q, nil
}

// choice returns the choice of messages, or nil where no query was given.
func (m *matchingFlags) choice(ctx context.Context, c *cli.Invocation) (*prune.Matching, error) {
	if m.query.Value == "" {
		return nil, nil
	}
	db, err := c.Open(ctx)
	if err != nil {
		return nil, err
	}
	return m.choiceIn(c, db)
}

// choiceIn returns the choice of messages of an open database.
func (m *matchingFlags) choiceIn(c *cli.Invocation, db *data.DB) (*prune.Matching, error) {
	q, err := m.parse(db)
	if err != nil {
		return nil, err
	}
	out := &prune.Matching{Query: q, Options: m.options(db), Version: c.Sys.VersionText(), Beside: beside(c)}
	out.Receipt, err = m.newReceipt(c, db)
	return out, err
}

// newReceipt returns the path of the receipt, at which there must be no file; empty where none was named.
func (m *matchingFlags) newReceipt(c *cli.Invocation, db *data.DB) (string, error) {
	path, err := c.NewFile(db, m.receipt.Value)
	if err != nil || path == "" {
		return "", err
	}
	if cli.FileExists(path) {
		return "", cli.UsageErrorf("--receipt: there is already a file %s; a receipt is never written over another file", path)
	}
	return path, proof.CheckPlace(path) // Before anything is removed.
}

// beside says which files beside the database may have its texts.
func beside(c *cli.Invocation) proof.Beside {
	return proof.Beside{FilesFolder: prune.FilesFolder(c.DB, c.Locations.FilesDir), Caches: cacheFolders(c), Searched: stateFiles(c)}
}

// matchingRequest is a choice of messages in a plan file.
type matchingRequest struct {
	Query     string `json:"query"`
	Regexp    bool   `json:"regexp,omitempty"`
	MatchCase bool   `json:"match_case,omitempty"`
	WholeWord bool   `json:"whole_words,omitempty"`
	// Texts are the digests of what the query found, by message: where it finds others now, the plan is stale.
	Texts map[int64]string `json:"texts"`
}

// requestOf returns a choice as a plan file has it, or nil for none.
func requestOf(m *prune.Matching, p ops.Plan) *matchingRequest {
	if m == nil {
		return nil
	}
	r := &matchingRequest{Query: m.Query.Text, Texts: map[int64]string{}}
	r.Regexp, r.MatchCase, r.WholeWord = m.Options.Regexp, m.Options.MatchCase, m.Options.WholeWord
	if p.Set != nil && p.Set.Matching != nil {
		for _, f := range p.Set.Matching.Messages {
			r.Texts[f.ID] = f.SHA256
		}
	}
	return r
}

// choice returns the choice that a plan file has.
func (r *matchingRequest) choice(c *cli.Invocation) (*prune.Matching, error) {
	m := &matchingFlags{regexp: r.Regexp, matchCase: r.MatchCase, wholeWords: r.WholeWord}
	m.query.Value = r.Query
	return m.choiceIn(c, c.DB)
}
