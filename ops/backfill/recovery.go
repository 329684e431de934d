package backfill

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/data/transcript"
)

// Recovery finds the sessions of which only the prompts are left, in the history that a client keeps of them.
type Recovery struct {
	Path string // The history.
	// Sessions are folders in which session files lie, there or not, beside those of the history's own folder.
	Sessions []string
	// Request is what the imports of all sessions share.
	Request Op
	// Project is the folder whose sessions are wanted, or its name in session keys; empty is all.
	Project string
	// Since leaves out the sessions in which nothing was typed from then on.
	Since time.Time
	// Ignores says of a working folder that nothing of it is kept; nil ignores none.
	Ignores func(folder string) bool
}

// Why a session of a history isn't recovered.
const (
	skipTranscript   = "its session file is there: backfill imports all of it"
	skipConversation = "it is imported"
	skipUnnamed      = "it has no id, and at that time its project had a session of which there is more"
	skipProject      = "of another project"
	skipSince        = "older than --since"
	skipIgnored      = "its folder is ignored"
)

// Dead are the sessions that a history alone still knows.
type Dead struct {
	History *transcript.History
	// Imports are what imports them, oldest first.
	Imports []*Op
	// Skipped is how many sessions aren't recovered, by the reason.
	Skipped map[string]int
}

// Find reads the history and returns what imports the sessions that have neither a session file nor a conversation. A
// history outside the folder in which it is named, behind a link, is a *LeftOutError.
func (r *Recovery) Find(ctx context.Context, db *data.DB) (*Dead, error) {
	if err := checkInFolder(r.Path); err != nil {
		return nil, err
	}
	h, err := transcript.OpenHistory(ctx, r.Path)
	if err != nil {
		return nil, err
	}
	files := r.transcripts(ctx)
	alive := sessionsOf(files)
	all, err := lcm.Conversations(ctx, db)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, lcm.Conversation.OnlyPrompts)
	imported := map[string]bool{}
	for _, c := range all {
		imported[c.SessionID] = true
	}
	var known []span
	if slices.ContainsFunc(h.Sessions, func(s *transcript.HistorySession) bool { return s.Unnamed }) {
		known = spansOf(ctx, files, all)
	}
	d := &Dead{History: h, Skipped: map[string]int{}}
	for _, s := range h.Sessions {
		why := r.skip(s)
		switch {
		case alive[s.ID]:
			why = skipTranscript
		case imported[s.ID]:
			why = skipConversation
		case s.Unnamed && slices.ContainsFunc(known, func(k span) bool { return k.overlaps(s) }):
			why = skipUnnamed
		}
		if why != "" {
			d.Skipped[why]++
			continue
		}
		o := r.Request
		o.Opened = h.Transcript(s)
		o.Path = o.Opened.Path
		d.Imports = append(d.Imports, &o)
	}
	return d, ctx.Err()
}

// skip returns why a session isn't wanted, or empty.
func (r *Recovery) skip(s *transcript.HistorySession) string {
	switch project := ProjectOf(s.Project); {
	case r.Project != "" && project != r.Project && project != ProjectOf(r.Project):
		return skipProject
	case s.Last.Before(r.Since):
		return skipSince
	case r.Ignores != nil && r.Ignores(s.Project):
		return skipIgnored
	}
	return ""
}

// checkInFolder refuses a file that a link leads to out of the folder in which it is named.
func checkInFolder(path string) error {
	whole, err := filepath.EvalSymlinks(path)
	if err != nil {
		return fmt.Errorf("open history: %w", err)
	}
	folder, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return fmt.Errorf("open history: %w", err)
	}
	if inside, err := filepath.Rel(folder, whole); err != nil || !filepath.IsLocal(inside) {
		return &LeftOutError{path, "a link that leads out of " + folder}
	}
	return nil
}

// idLength is the length of the ids that Codex puts behind a time in the names of session files.
const idLength = 36

// transcripts returns the session files of the client.
func (r *Recovery) transcripts(ctx context.Context) []string {
	var folders []string
	own := filepath.Dir(r.Path)
	for _, folder := range append([]string{filepath.Join(own, "projects"), filepath.Join(own, "sessions"), filepath.Join(own, "archived_sessions")}, r.Sessions...) {
		if _, err := os.Stat(folder); !errors.Is(err, os.ErrNotExist) {
			folders = append(folders, folder)
		}
	}
	found, _ := Find(ctx, folders, true) // What can't be read has no name either.
	return found
}

// sessionsOf returns the ids of the sessions that have files, by their names.
func sessionsOf(files []string) map[string]bool {
	ids := map[string]bool{}
	for _, path := range files {
		name, _, _ := strings.Cut(filepath.Base(path), ".jsonl")
		ids[name] = true
		if len(name) > idLength {
			ids[name[len(name)-idLength:]] = true
		}
	}
	return ids
}

// span is when a session of a project ran.
type span struct {
	project  string
	from, to time.Time
}

func (k span) overlaps(s *transcript.HistorySession) bool {
	return k.project == ProjectOf(s.Project) && !k.from.After(s.Last) && !k.to.Before(s.First)
}

// spansOf returns when the sessions ran that have files or conversations.
func spansOf(ctx context.Context, files []string, all []lcm.Conversation) (out []span) {
	for _, path := range files {
		if f, err := transcript.Open(ctx, path); err == nil {
			out = append(out, span{ProjectOf(f.Session.CWD), f.Session.Started, f.ModTime})
		}
	}
	for _, c := range all {
		out = append(out, span{c.Agent(), c.CreatedAt.Time, c.UpdatedAt.Time})
	}
	return out
}
