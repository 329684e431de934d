package search

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data/destination"
	"lcm-tui/engine/search"
	"lcm-tui/internal/atomicfile"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// hitsFileName returns the name of a new file of hits.
func hitsFileName(now time.Time) string {
	return "lcm-hits-" + now.Format("2006-01-02-150405") + ".jsonl"
}

// saveKey takes a key while the path is asked for.
func (v *Search) saveKey(m tea.KeyPressMsg) tea.Cmd {
	if v.saveTo.Update(m) != ui.Accepted {
		return nil
	}
	path := strings.TrimSpace(v.saveTo.Value())
	if path == "" {
		return nil
	}
	return tea.Batch(v.remember(), saveHits(v.env, v, v.hits.rows, path))
}

// saveHits writes the hits of the list to a new file, a line a hit, as the command search prints
// hits in JSON.
func saveHits(e *views.Env, owner ui.Screen, rows []*hitRow, path string) tea.Cmd {
	hits := make([]search.Hit, 0, len(rows))
	for _, r := range rows {
		hits = append(hits, *r.Hit)
	}
	policy := destination.ForDatabase(e.DB, e.Locations)
	return e.Jobs.Start(owner, "save hits", func(context.Context, func(int, int, string)) (tea.Msg, error) {
		path, err := writeHits(policy, path, hits)
		if err != nil {
			return nil, err
		}
		return ui.StatusMsg{Text: "saved " + plural.Count(len(hits), "hit", "hits") + " in " + ui.Line(views.ShortenHome(path)), Kind: ui.Done}, nil
	})
}

// writeHits writes hits to a new file that only its user can read, and returns its whole path.
func writeHits(policy *destination.Policy, path string, hits []search.Hit) (string, error) {
	path, err := filepath.Abs(views.ExpandHome(path))
	if err == nil {
		err = policy.Check(path)
	}
	if err != nil {
		return "", err
	}
	f, err := atomicfile.Create(path, atomicfile.Options{})
	if errors.Is(err, fs.ErrExist) {
		return "", hint.New("save hits: there is already a file "+path, "ctrl+s asks for another name; the file that is there stays as it is")
	}
	if err != nil {
		return "", err
	}
	defer f.Discard()
	out := json.NewEncoder(f)
	out.SetEscapeHTML(false)
	for _, h := range hits {
		if err := out.Encode(h); err != nil {
			return "", err
		}
	}
	return path, f.Commit()
}
