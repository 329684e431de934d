package search

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lcm-tui/internal/atomicfile"
	"lcm-tui/ui"
)

const (
	maxQueries      = 100     // Kept in the history.
	maxHistoryBytes = 1 << 20 // Of the file that are read.
)

// queryHistory is the queries that were searched, oldest first, and where the user is among
// them. The file has one query a line.
type queryHistory struct {
	queries []string
	at      int    // In queries; len(queries) is the query that is being typed.
	draft   string // What was typed before the user went to an older one.
}

// set takes the queries of the file.
func (h *queryHistory) set(queries []string) { h.queries, h.at = queries, len(queries) }

// add adds a query as the newest one.
func (h *queryHistory) add(query string) {
	h.queries = withQuery(h.queries, query)
	h.at, h.draft = len(h.queries), ""
}

// older returns the query before the present one, and false where there is none. typed is what
// stands in the input.
func (h *queryHistory) older(typed string) (string, bool) {
	if h.at == len(h.queries) {
		h.draft = typed
	}
	for h.at > 0 {
		h.at--
		if h.queries[h.at] != typed {
			return h.queries[h.at], true
		}
	}
	return "", false
}

// newer returns the query after the present one: at the end what was typed before.
func (h *queryHistory) newer() (string, bool) {
	if h.at >= len(h.queries) {
		return "", false
	}
	h.at++
	if h.at == len(h.queries) {
		return h.draft, true
	}
	return h.queries[h.at], true
}

// withQuery returns queries with one more as the newest. An equal one before goes, and the
// oldest ones beyond maxQueries.
func withQuery(queries []string, query string) []string {
	out := slices.DeleteFunc(slices.Clone(queries), func(q string) bool { return q == query })
	out = append(out, query)
	return out[max(0, len(out)-maxQueries):]
}

// readQueries reads the queries of a history file. A file that isn't there has none.
func readQueries(path string) ([]string, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, err
	}
	content, err := io.ReadAll(io.LimitReader(f, maxHistoryBytes))
	var out []string
	for line := range bytes.Lines(content) {
		if q := ui.Line(string(line)); q != "" {
			out = append(out, q)
		}
	}
	return out[max(0, len(out)-maxQueries):], err
}

// writeQuery adds a query to a history file that only its user can read. Other programs may
// add theirs meanwhile, so the file is read again and replaced as a whole.
func writeQuery(path, query string) error {
	queries, err := readQueries(path)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	text := strings.Join(withQuery(queries, query), "\n") + "\n"
	return atomicfile.Write(path, []byte(text), atomicfile.Options{Replace: true, KeepOwner: true})
}
