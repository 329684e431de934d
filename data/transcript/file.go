package transcript

import (
	"context"
	"errors"
	"iter"
	"maps"
	"time"

	"lcm-tui/data/jstext"
)

// File is a transcript as it was when it was opened: what is appended later isn't
// read. It holds no file open between two reads.
type File struct {
	Path    string // The file's, or the address of a session in a database.
	Kind    Kind
	Size    int64 // In bytes, unpacked: a line for each event of a session in a database.
	ModTime time.Time
	Session Session

	// Follow says that the file will be read on where Entries ended, from a Mark: a last line without
	// an end isn't read then, unless Quiet says that nothing was written for a while: it is read where it is whole.
	Follow, Quiet bool

	source     source
	isPlain    bool   // It is a file of lines as they are, not packed.
	from       *Mark  // What stands before it isn't read.
	order      *order // Once it is known.
	unfinished bool
	cut        bool
	marker     *marker           // Of the last reading.
	called     map[string]string // The tools without an answer at the end of that, by the call's id.
	model      string            // The model that was noted last in it.
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
	// Of a session in a database: the session keys that name it or named it, whether one
	// names it now, and the session that it follows.
	Keys     []string
	Current  bool
	Previous string
	// Aside is the work that an agent gave to another; its messages are no part of
	// the session's own.
	Aside bool
	// Exported says that the file was made of the messages that a host had stored.
	Exported bool
	Base     *PartBase `json:",omitempty"` // Of a later file of a session of Codex.
}

// Entry is one message.
type Entry struct {
	Line int64  // Where it stands, from 1: of a database, among the events of the session.
	End  int64  // The offset behind its line.
	ID   string // Unique within the file; made of the place where the host gives none.
	// Parent is the id of the entry that it follows on the way to the last one, which needn't
	// be a message; empty for the first. Only OpenClaw's entries have it.
	Parent string
	At     time.Time // When the message was made; the entry's time where it says none.
	// Written is when the host wrote the entry, by the entry itself; zero where it says none.
	Written time.Time
	// Message is the message in the form that OpenClaw's engine takes it in: an object
	// with role and content.
	Message jstext.Value
	// Continues says that it belongs to the same answer of the model as the entry
	// before it.
	Continues bool
	// OutsideContext says that no context may hold the message: it is a summary that
	// the session's own host made of messages that stand before it.
	OutsideContext bool
	// SplitByHost says that the host can't read the entry: it stands in a file, on a line with U+2028
	// or U+2029 in it, and the host's reader ends lines there.
	SplitByHost bool
	// Note is an object whose members stand beside what is stored of the message, or empty.
	Note jstext.Value
	// Reset is the last reset of the session before the entry, or nil.
	Reset *Reset
}

// UnknownError says that a file is no session file of a known kind.
type UnknownError struct{ Path string }

func (e *UnknownError) Error() string { return e.Path + " is no session file of a known kind" }

// Hint says which are known.
func (*UnknownError) Hint() string {
	return "known are those of OpenClaw, Claude Code, Codex and Gemini CLI, one JSON object a line"
}

// ErrEmpty is a transcript in which nothing stands yet.
var ErrEmpty = errors.New("the file is empty")

// How many lines, and how many bytes of them, are looked at to tell whose they are.
const (
	probed      = 200
	probedBytes = 2 * maxLine
)

// probe finds the kind and the session.
func (f *File) probe(ctx context.Context) error {
	seen := 0
	head := *f
	head.Size = min(f.Size, probedBytes)
	err := head.eachLine(ctx, func(_ place, line string) (bool, error) {
		if f.Kind == "" {
			f.Kind, _ = kindOf(line)
		}
		if f.Kind != "" {
			f.Session.learn(f.Kind, line)
		}
		seen++
		return seen < probed && (f.Kind == "" || !f.Session.isKnown(f.Kind)), nil
	}, nil)
	switch {
	case err == nil && f.Kind == "":
		err = &UnknownError{f.Path}
	case f.Kind == Gemini:
		f.Session.learnGeminiFolder(f.Path)
	}
	return err
}

// eachLine calls fn with every line, until it returns false, and bad with those that
// can't be read.
func (f *File) eachLine(ctx context.Context, fn func(place, string) (bool, error), bad func(*LineError)) error {
	if bad == nil {
		bad = func(*LineError) {}
	}
	return f.source.eachLine(ctx, f.Size, fn, bad)
}

// reader makes messages of one host's lines.
type reader interface {
	// read gives the messages that a line holds. An error is the line's.
	read(line string, place place) ([]Entry, error)
	// unfinished says whether an answer of the model has no end yet.
	unfinished() bool
	// state returns the tools that were called and haven't answered, by the call's id, and the model
	// that was noted last.
	state() (called map[string]string, model string)
}

// place is where a line stands.
type place struct {
	line, end int64
	open      bool // It isn't ended: it may be being written.
}

func (f *File) reader(on *path) reader {
	from := Mark{Names: map[string]string{}}
	if f.from != nil {
		from = *f.from
	}
	called := maps.Clone(from.Names)
	if called == nil {
		called = map[string]string{}
	}
	switch f.Kind {
	case ClaudeCode:
		return &claude{names: called, isHelper: f.Session.Aside, folder: sessionFolder(f.Path)}
	case Codex:
		return &codex{names: called, model: from.Model, part: f.part(), rewound: f.rewound()}
	case Gemini:
		return &gemini{given: map[string]bool{}, rewound: f.rewound()}
	case ClaudeHistory, CodexHistory:
		return newPrompts(f)
	}
	_, isFile := f.source.(fileSource)
	r := &openClaw{inFile: isFile}
	if on != nil {
		r.unlinked, r.last = on.all, on.before
	}
	return r
}

// rewound returns the ids of entries that aren't given, as far as the order is known.
func (f *File) rewound() map[string]bool {
	if f.order == nil {
		return nil
	}
	return f.order.rewound
}

// Entries returns the messages of a transcript in order: of one with branches those on
// the way to its last entry. With a *LineError comes a line that can't be read;
// any other error is the last.
func (f *File) Entries(ctx context.Context) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		o, err := f.findOrder(ctx)
		if err == nil {
			err = f.entries(ctx, o.path, yield)
		}
		if err != nil {
			yield(Entry{}, err)
		}
	}
}

func (f *File) entries(ctx context.Context, on *path, yield func(Entry, error) bool) error {
	f.cut, f.marker = false, f.beginMarker()
	r, stopped := f.reader(on), false
	defer func() {
		f.unfinished = r.unfinished()
		f.called, f.model = r.state()
	}()
	for i, run := range on.inRuns() {
		err := f.eachLine(ctx, func(at place, line string) (bool, error) {
			switch f.cut = f.cut || at.open && f.Follow && !f.Quiet; {
			case f.cut || stopped:
			case run.has(at.line):
				stopped = !f.readEntry(r, at, line, yield)
			default:
				f.marker.pass(at, line, nil, "")
			}
			return !stopped && !f.cut, nil
		}, func(err *LineError) {
			if !stopped && i == 0 {
				stopped = !yield(Entry{}, err)
			}
		})
		if stopped {
			return nil // Nothing may be passed on any more.
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readEntry passes on what a line holds, and reports whether more is wanted.
func (f *File) readEntry(r reader, at place, line string, yield func(Entry, error) bool) bool {
	_, model := r.state()
	entries, err := r.read(line, at)
	if f.cut = err != nil && at.open; f.cut {
		return true // It is being written.
	}
	f.marker.pass(at, line, entries, model)
	if err != nil {
		return yield(Entry{}, &LineError{at.line, err})
	}
	for _, e := range entries {
		if !yield(e, nil) {
			return false
		}
	}
	return true
}
