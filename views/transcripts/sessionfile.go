package transcripts

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/data/transcript"
	"lcm-tui/ops/backfill"
	"lcm-tui/views"
)

// sessionFile is a session file on disk, a session in a transcript database, or what is left of a
// file that is gone, beside its conversation.
type sessionFile struct {
	path     string // Of a session in a database its address.
	key      string // The session key, where it is known.
	database string // The transcript database in which the session lies, or empty.
	kind     transcript.Kind
	id       string
	size     int64
	at       time.Time // Of the last change.
	gone     bool
	ended    bool // Another session has taken its key.
	archived bool
	conv     lcm.Conversation // Without an id where there is none yet.
	found    bool             // The conversation was found.
}

// ref returns the file's path; one that is gone may have been that of several conversations.
func (s *sessionFile) ref() string {
	if s.gone {
		return s.path + " #" + views.Itoa(s.conv.ID)
	}
	return s.path
}

// name returns what the session is called by in the list: the name of its file or, in a database, its
// key.
func (s *sessionFile) name() string {
	if s.database == "" {
		return filepath.Base(s.path)
	}
	return views.FirstNonEmpty(s.key, s.id)
}

// sessionFileSearch is what a search for session files found.
type sessionFileSearch struct {
	sessions []*sessionFile
	problems []error // What was left out.
}

// findSessionFiles lists the session files in the folders, those elsewhere that the database
// names, and the conversations whose session file is gone. Newest come first.
func findSessionFiles(ctx context.Context, env *views.Env, report data.Report) (f sessionFileSearch, err error) {
	convs, err := lcm.Conversations(ctx, env.DB)
	if err != nil {
		return f, err
	}
	states, err := lcm.Bootstraps(ctx, env.DB)
	if err != nil {
		return f, err
	}
	paths, gone := namedFiles(states)
	in, problems := backfill.Find(ctx, slices.DeleteFunc(slices.Clone(env.Sessions), missing), true)
	f.problems = problems
	paths = append(paths, in...)
	slices.Sort(paths)
	paths = slices.Compact(paths)
	matcher := backfill.NewMatcher(convs)
	for i, path := range paths {
		report(i, len(paths), "reading session files")
		m, err := matcher.At(ctx, path)
		switch {
		case ctx.Err() != nil:
			return f, ctx.Err()
		case err != nil:
			f.problems = append(f.problems, err)
		default:
			f.sessions = append(f.sessions, newSessionFile(path, &m))
		}
	}
	there := map[string]bool{}
	for _, s := range f.sessions {
		there[s.id] = true
	}
	for _, c := range convs {
		if path, ok := gone[c.ID]; ok && !there[c.SessionID] { // The host may have moved it into its database.
			f.sessions = append(f.sessions, &sessionFile{path: path, id: c.SessionID, gone: true, conv: c, found: true, at: time.UnixMilli(states[c.ID].ModTimeMS)})
		}
	}
	slices.SortStableFunc(f.sessions, func(a, b *sessionFile) int { return b.at.Compare(a.at) })
	return f, nil
}

// namedFiles returns the session files that the database names: those that are there, and by
// conversation those that aren't.
func namedFiles(states map[int64]lcm.Bootstrap) (paths []string, gone map[int64]string) {
	gone = map[int64]string{}
	for conv, b := range states {
		switch {
		case b.Path == "":
		case missing(b.Path):
			gone[conv] = b.Path
		default:
			if whole, err := filepath.EvalSymlinks(b.Path); err == nil {
				paths = append(paths, whole)
			}
		}
	}
	return paths, gone
}

func missing(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, os.ErrNotExist)
}

// newSessionFile returns the row of a transcript.
func newSessionFile(path string, m *backfill.Match) *sessionFile {
	return &sessionFile{
		path: path, key: m.Key, database: m.Database, kind: m.Kind, id: m.Session.ID, size: m.Size, at: m.ModTime,
		ended: m.Ended, archived: m.Archived, conv: m.Conv, found: m.Found,
	}
}
