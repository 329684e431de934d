package transcript

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"lcm-tui/data/sessiondb"
	"lcm-tui/internal/hint"
)

// Address names a session in a transcript database, by its id, or an archived transcript, by the
// name of the archive: PATH#SESSION.
func Address(path, session string) string { return path + "#" + session }

// SplitAddress returns the path of the database and the session that an address names. What is the
// path of a file is no address.
func SplitAddress(address string) (path, session string, ok bool) {
	for i := len(address) - 1; i > 0; i-- {
		if address[i] != '#' || i == len(address)-1 {
			continue
		}
		if !isFile(address[:i]) {
			continue
		}
		if isFile(address) {
			return "", "", false
		}
		return address[:i], address[i+1:], true
	}
	return "", "", false
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// openStored opens a session or an archive of a transcript database.
func openStored(ctx context.Context, path, session string) (*File, error) {
	var s *sessiondb.Session
	var archives []*sessiondb.Archive
	err := withDatabase(ctx, path, func(db *sessiondb.DB) (err error) {
		s, err = db.Session(ctx, session)
		if errors.Is(err, sessiondb.ErrNoSession) && strings.Contains(session, ".jsonl.") {
			archives, err = db.Archives(ctx)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("open transcript: %w", err)
	}
	if s == nil {
		return openArchive(ctx, archives, path, session)
	}
	f := newStored(path, s)
	if s.Events == 0 {
		return nil, fmt.Errorf("%s: %w", f.Path, ErrEmpty)
	}
	return f, f.readHeader(ctx)
}

// newStored returns a session of a transcript database, of which nothing but the list of sessions is
// read.
func newStored(path string, s *sessiondb.Session) *File {
	return &File{
		Path: Address(path, s.ID), Kind: OpenClaw, Size: s.Bytes, ModTime: s.Changed(), source: storedSource{path, s},
		Session: Session{ID: s.ID, Keys: s.Keys, Current: s.Current, Previous: s.Previous, Started: s.Created},
	}
}

// openArchive opens an archived transcript among those of a transcript database.
func openArchive(ctx context.Context, all []*sessiondb.Archive, path, name string) (*File, error) {
	f := &File{Path: Address(path, name)}
	for _, a := range all {
		if a.Name == name {
			f.ModTime, f.Session.Keys = a.Created, []string{a.Key}
		}
	}
	err := f.measure(ctx, fileSource{path: f.Path, open: func() (io.ReadCloser, error) {
		db, err := sessiondb.Open(ctx, path)
		if err != nil {
			return nil, err
		}
		r, err := db.OpenArchive(ctx, name)
		return r, errors.Join(err, db.Close())
	}})
	if err != nil {
		return nil, fmt.Errorf("open transcript: %w", err)
	}
	return f, f.probe(ctx)
}

// readHeader takes from the first event what it says about the session.
func (f *File) readHeader(ctx context.Context) error {
	return f.eachLine(ctx, func(_ place, line string) (bool, error) {
		var s Session
		if s.learnOpenClaw(line); s.ID != "" {
			f.Session.CWD = s.CWD
			if !s.Started.IsZero() {
				f.Session.Started = s.Started
			}
		}
		return false, nil
	}, nil)
}

// storedSource is a session of a transcript database as it was when it was looked up.
type storedSource struct {
	path    string
	session *sessiondb.Session
}

// eachLine reads all events: what the database got since isn't among them.
func (s storedSource) eachLine(ctx context.Context, _ int64, fn func(place, string) (bool, error), bad func(*LineError)) (err error) {
	opened := false
	err = withDatabase(ctx, s.path, func(db *sessiondb.DB) error {
		opened = true
		return s.eachEvent(ctx, db, fn, bad)
	})
	if err != nil && !opened {
		return fmt.Errorf("read transcript: %w", err)
	}
	return err
}

func (s storedSource) eachEvent(ctx context.Context, db *sessiondb.DB, fn func(place, string) (bool, error), bad func(*LineError)) error {
	end := int64(0)
	for e, err := range db.Events(ctx, s.session) {
		var wrong *sessiondb.EventError
		switch {
		case errors.As(err, &wrong):
			bad(&LineError{wrong.Position, wrong.Err})
			continue
		case err != nil:
			return fmt.Errorf("read transcript: %w", err)
		}
		end += int64(len(e.JSON)) + 1
		if more, err := fn(place{line: e.Position, end: end}, string(e.JSON)); err != nil || !more {
			return err
		}
	}
	return nil
}

// Sessions lists the sessions of a transcript database that have events, newest first. It opens
// the database once and reads no event: unlike Open it doesn't know the folder in which a session
// began, and when it began only by the list of sessions.
func Sessions(ctx context.Context, path string) ([]*File, error) {
	db, err := sessiondb.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	all, err := db.Sessions(ctx)
	if err = errors.Join(err, db.Close()); err != nil {
		return nil, err
	}
	var out []*File
	for _, s := range all {
		if s.Events > 0 {
			out = append(out, newStored(path, s))
		}
	}
	return out, nil
}

// Addresses lists the sessions of a transcript database that have events, newest first, as
// Open takes them.
func Addresses(ctx context.Context, path string) ([]string, error) {
	sessions, err := Sessions(ctx, path)
	var out []string
	for _, f := range sessions {
		out = append(out, f.Path)
	}
	return out, err
}

// namelessError says what is needed to read a database, or why it can't be read.
func namelessError(ctx context.Context, path string) error {
	all, err := Addresses(ctx, path)
	switch {
	case errors.Is(err, sessiondb.ErrNotAgent):
		return &hint.Error{
			Text: path + " is an SQLite database, not a session file",
			Next: "of an lcm.db, lcm-tui transplant SRC DST --from FILE copies what a conversation remembers; of databases of sessions only OpenClaw's " + sessiondb.FileName + " can be read",
			Err:  err,
		}
	case err != nil:
		return fmt.Errorf("open transcript: %w", err)
	}
	const most = 3
	next := "name a session so: " + Address(path, "SESSION_ID")
	if len(all) > 0 {
		next = "name the file and the session: " + strings.Join(all[:min(most, len(all))], ", ")
	}
	if len(all) > most {
		next += ", …"
	}
	return hint.New(fmt.Sprintf("%s holds the transcripts of %d sessions: say which one", path, len(all)), next)
}
