package backfill

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/data/sessiondb"
	"lcm-tui/data/transcript"
	"lcm-tui/engine/compare"
)

// Matcher finds whose transcripts are, and their conversations. One serves one goroutine.
type Matcher struct {
	convs  []lcm.Conversation // Newest first.
	keys   *Keys
	stored map[string]map[string]*transcript.File // Sessions of transcript databases, by path and address.
}

// Match is a transcript and the conversation into which it would be imported.
type Match struct {
	*transcript.File
	Key      string           // The session key, where it is known.
	Database string           // The transcript database in which the session lies, or empty.
	Archived bool             // The host put it aside.
	Ended    bool             // Another session has taken its key.
	Conv     lcm.Conversation // Without an id where there is none yet.
	Found    bool             // The conversation was found.
}

// NewMatcher returns the Matcher of all conversations of a file, newest first.
func NewMatcher(convs []lcm.Conversation) *Matcher {
	return &Matcher{convs: convs, keys: &Keys{}, stored: map[string]map[string]*transcript.File{}}
}

// open opens a transcript. The sessions of a transcript database are listed once: to open each
// of thousands takes seconds.
func (m *Matcher) open(ctx context.Context, path string) (*transcript.File, error) {
	i := strings.LastIndexByte(path, '#')
	if i < 0 || filepath.Ext(path[:i]) != filepath.Ext(sessiondb.FileName) {
		return transcript.Open(ctx, path)
	}
	sessions, known := m.stored[path[:i]]
	if !known {
		list, _ := transcript.Sessions(ctx, path[:i]) // Opening the transcript says what is wrong.
		sessions = make(map[string]*transcript.File, len(list))
		for _, f := range list {
			sessions[f.Path] = f
		}
		m.stored[path[:i]] = sessions
	}
	if f := sessions[path]; f != nil {
		return f, nil
	}
	return transcript.Open(ctx, path)
}

// At finds whose transcript lies at a path or address, and its conversation.
func (m *Matcher) At(ctx context.Context, path string) (out Match, err error) {
	if out.File, err = m.open(ctx, path); err != nil {
		return out, err
	}
	session := out.Session
	out.Archived, out.Key = Archived(path), m.keys.Of(path, session.ID)
	if database, _, stored := transcript.SplitAddress(path); stored {
		out.Database = database
		out.Key, out.Ended = KeyOf(out.File), isEnded(out.File)
	}
	target, found := Choose(m.convs, session.ID, out.Key, out.Archived || out.Ended)
	out.Conv, out.Found = target.Conversation, found
	return out, nil
}

// TranscriptOf returns the path or address of the transcript of a conversation: what compare.Find finds by its name in
// the places of the hosts; else the file that the database names; else the newest in the places that would be
// imported into the conversation. Its error where there is none is that of compare.Find.
func TranscriptOf(ctx context.Context, db *data.DB, places []string, conv lcm.Conversation) (string, error) {
	path, none := compare.Find(ctx, places, conv)
	if none == nil || ctx.Err() != nil {
		return path, none
	}
	states, err := lcm.Bootstraps(ctx, db)
	if err != nil {
		return "", err
	}
	if named := states[conv.ID].Path; named != "" && !missing(named) {
		return named, nil
	}
	convs, err := lcm.Conversations(ctx, db)
	if err != nil {
		return "", err
	}
	m := NewMatcher(convs)
	paths, _ := Find(ctx, slices.DeleteFunc(slices.Clone(places), missing), true) // What can't be read isn't it.
	for _, path := range slices.Backward(paths) {
		match, err := m.At(ctx, path)
		switch {
		case ctx.Err() != nil:
			return "", ctx.Err()
		case err == nil && match.Found && match.Conv.ID == conv.ID:
			return path, nil
		}
	}
	return "", none
}

// missing reports whether nothing is at a path.
func missing(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}
