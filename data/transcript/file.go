package transcript

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"time"

	"lcm-tui/data/jstext"
	"lcm-tui/internal/regularfile"
)

// File is a transcript as it was when it was opened: what is appended later isn't
// read.
type File struct {
	Path    string
	Kind    Kind
	Size    int64
	ModTime time.Time
	Session Session

	open       func() (io.ReadCloser, error)
	unfinished bool
	cut        bool
}

// Unfinished says whether the file ended, when Entries read it last, within an answer
// of the model that has no end yet. Its host may be writing the rest of it.
func (f *File) Unfinished() bool { return f.unfinished }

// Cut says whether the last line wasn't whole when Entries read the file last: the rest
// of it may be still to come.
func (f *File) Cut() bool { return f.cut }

// Session is what a transcript says about itself.
type Session struct {
	ID      string
	CWD     string
	Started time.Time
	// Aside is the work that an agent gave to another; its messages are no part of
	// the session's own.
	Aside bool
}

// Entry is one message.
type Entry struct {
	Line int64  // Where it stands, from 1.
	End  int64  // The offset behind its line.
	ID   string // Unique within the file; made of the place where the host gives none.
	At   time.Time
	// Message is the message in the form that OpenClaw's engine takes it in: an object
	// with role and content.
	Message jstext.Value
	// Continues says that it belongs to the same answer of the model as the entry
	// before it.
	Continues bool
	// OutsideContext says that no context may hold the message: it is a summary that
	// the session's own host made of messages that stand before it.
	OutsideContext bool
	// Reset is the last reset of the session before the entry, or nil.
	Reset *Reset
}

// UnknownError says that a file is no session file of a known kind.
type UnknownError struct{ Path string }

func (e *UnknownError) Error() string { return e.Path + " is no session file of a known kind" }

// Hint says which are known.
func (*UnknownError) Hint() string {
	return "known are those of OpenClaw, Claude Code and Codex, one JSON object a line"
}

// ErrEmpty is a transcript in which nothing stands yet.
var ErrEmpty = errors.New("the file is empty")

// How many lines, and how many bytes of them, are looked at to tell whose they are.
const (
	probed      = 200
	probedBytes = 2 * maxLine
)

// Open looks at a transcript and tells its kind by what is in it.
func Open(ctx context.Context, path string) (*File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("open transcript: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("open transcript: %w", &fs.PathError{Op: "read", Path: path, Err: regularfile.ErrNotRegular})
	}
	f := &File{Path: path, Size: info.Size(), ModTime: info.ModTime(), open: func() (io.ReadCloser, error) { return regularfile.Open(path) }}
	if f.Size == 0 {
		return nil, fmt.Errorf("%s: %w", path, ErrEmpty)
	}
	if err := f.refuseDatabase(); err != nil {
		return nil, err
	}
	return f, f.probe(ctx)
}

// DatabaseError says that a file is a database, and no transcript.
type DatabaseError struct{ Path string }

func (e *DatabaseError) Error() string {
	return e.Path + " is an SQLite database, not a session file"
}

// Hint says how to get at what is in it.
func (*DatabaseError) Hint() string {
	return "of an lcm.db, lcm-tui transplant SRC DST --from FILE copies what a conversation remembers; databases of sessions can't be read"
}

// refuseDatabase refuses SQLite's files: a row of one may look like a line of a
// transcript.
func (f *File) refuseDatabase() error {
	h, err := f.open()
	if err != nil {
		return fmt.Errorf("open transcript: %w", err)
	}
	defer h.Close()
	const magic = "SQLite format 3\x00"
	head := make([]byte, len(magic))
	if _, err := io.ReadFull(h, head); err == nil && string(head) == magic {
		return &DatabaseError{f.Path}
	}
	return nil
}

// probe finds the kind and the session.
func (f *File) probe(ctx context.Context) error {
	seen := 0
	head := *f
	head.Size = min(f.Size, probedBytes)
	err := head.eachLine(ctx, func(_ *lines, line []byte) (bool, error) {
		if f.Kind == "" {
			f.Kind, _ = kindOf(line)
		}
		if f.Kind != "" {
			f.Session.learn(f.Kind, line)
		}
		seen++
		return seen < probed && (f.Kind == "" || f.Session.ID == ""), nil
	}, nil)
	if err == nil && f.Kind == "" {
		err = &UnknownError{f.Path}
	}
	return err
}

// eachLine calls fn with every line, until it returns false, and bad with those that
// are too long.
func (f *File) eachLine(ctx context.Context, fn func(*lines, []byte) (bool, error), bad func(*LineError)) error {
	h, err := f.open()
	if err != nil {
		return fmt.Errorf("read transcript: %w", err)
	}
	defer h.Close()
	l := newLines(io.LimitReader(h, f.Size))
	for {
		line, err := l.next(ctx)
		var wrong *LineError
		switch {
		case errors.As(err, &wrong):
			if bad != nil {
				bad(wrong)
			}
			continue
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("read transcript %s: %w", f.Path, err)
		}
		if more, err := fn(l, line); err != nil || !more {
			return err
		}
	}
}

// reader makes messages of one host's lines.
type reader interface {
	// read gives the messages that a line holds. An error is the line's.
	read(line []byte, place place) ([]Entry, error)
	// unfinished says whether an answer of the model has no end yet.
	unfinished() bool
}

// place is where a line stands.
type place struct{ line, end int64 }

func (f *File) reader() reader {
	switch f.Kind {
	case ClaudeCode:
		return &claude{names: map[string]string{}, isHelper: f.Session.Aside}
	case Codex:
		return &codex{names: map[string]string{}, session: f.Session.ID}
	}
	return &openClaw{}
}

// errStop ends a file's reading early.
var errStop = errors.New("stop")

// Entries are the messages of a transcript in order: of one with branches those on
// the way to its last entry. With a *LineError comes a line that can't be read;
// any other error is the last.
func (f *File) Entries(ctx context.Context) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		path, err := f.path(ctx)
		if err == nil {
			err = f.entries(ctx, path, yield)
		}
		if err != nil && !errors.Is(err, errStop) {
			yield(Entry{}, err)
		}
	}
}

func (f *File) entries(ctx context.Context, on *path, yield func(Entry, error) bool) error {
	r := f.reader()
	bad := func(err *LineError) bool { return yield(Entry{}, err) }
	stopped := false
	f.cut = false
	err := f.eachLine(ctx, func(l *lines, line []byte) (bool, error) {
		if !on.has(l.n) {
			return true, nil
		}
		es, err := r.read(line, place{l.n, l.offset})
		if err != nil {
			if f.cut = l.open; f.cut {
				return false, nil // It is being written.
			}
			return bad(&LineError{l.n, err}), nil
		}
		for _, e := range es {
			if !yield(e, nil) {
				stopped = true
				return false, errStop
			}
		}
		return true, nil
	}, func(err *LineError) { stopped = stopped || !bad(err) })
	f.unfinished = r.unfinished()
	if stopped {
		return errStop
	}
	return err
}
