package clean

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/engine/search"
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

// parse reads the query.
func (m *matchingFlags) parse(db *data.DB) (search.Query, error) {
	q := search.Parse(m.query.Value, search.ParseOptions{Regexp: m.regexp, MatchCase: m.matchCase, WholeWord: m.wholeWords, Location: time.UTC, Now: db.Now()})
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
	q, err := m.parse(db)
	if err != nil {
		return nil, err
	}
	out := &prune.Matching{Query: q, Version: c.Sys.VersionText(), Beside: beside(c)}
	out.Receipt, err = m.newReceipt(c, db)
	return out, err
}

// newReceipt returns the path of the receipt, at which there must be no file; empty where none was named.
func (m *matchingFlags) newReceipt(c *cli.Invocation, db *data.DB) (string, error) {
	path, err := c.NewFile(db, m.receipt.Value)
	if err == nil && path != "" && cli.FileExists(path) {
		return "", cli.UsageErrorf("--receipt: there is already a file %s; a receipt is never written over another file", path)
	}
	return path, err
}

// beside says which files beside the database may have its texts.
func beside(c *cli.Invocation) proof.Beside {
	return proof.Beside{FilesFolder: prune.FilesFolder(c.DB, c.Locations.FilesDir), Caches: cacheFolders(c), Searched: stateFiles(c)}
}
