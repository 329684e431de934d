package transcript

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"lcm-tui/data/jstext"
	"lcm-tui/internal/lazyregexp"
	"lcm-tui/internal/regularfile"
)

// HistoryFile is how Claude Code and Codex call the file in which they note what their users type.
const HistoryFile = "history.jsonl"

// ClaudeHistory and CodexHistory are what a client noted of what its user typed: it has no answers.
const (
	ClaudeHistory Kind = "claude-history"
	CodexHistory  Kind = "codex-history"
)

// Client returns whose history it is; not ok is a kind that is a whole transcript.
func (k Kind) Client() (client Kind, ok bool) {
	switch k {
	case ClaudeHistory:
		return ClaudeCode, true
	case CodexHistory:
		return Codex, true
	}
	return k, false
}

// History is the list of what a user typed into a client, over all sessions, as it was when it was opened.
type History struct {
	Path     string
	Kind     Kind
	Size     int64 // In bytes.
	ModTime  time.Time
	Sessions []*HistorySession // In the order of their first lines.
	// BadLines is how many lines can't be read, and FirstBad the first of them, or nil.
	BadLines int
	FirstBad *LineError

	byName map[string]*HistorySession
	open   map[string]*HistorySession // The last one without a name, by project.
}

// HistorySession is a session of a history.
type HistorySession struct {
	// ID is the client's; old lines have none: then it is made of the project and the time, and Unnamed is set.
	ID          string
	Unnamed     bool
	Project     string // The folder in which it ran; empty where the history doesn't say it.
	Prompts     int
	First, Last time.Time

	runs []lineRun
}

// lineRun is some lines that follow each other: the bytes in which they stand, and the number of the first.
type lineRun struct{ from, to, line int64 }

// How long a pause is that ends a session without a name, and how many sessions of one history are read.
const (
	longestPause = 4 * time.Hour
	mostSessions = 100_000
)

// sessionName matches the ids of sessions.
var sessionName = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$`)

// OpenHistory finds the sessions in a history of prompts. It reads the file once and keeps of each line no more than
// where it stands. The error is an *UnknownError for a file in which no line is one of a history, and ErrEmpty for an
// empty one.
func OpenHistory(ctx context.Context, path string) (*History, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("open history: %w", err)
	}
	if info.Size() == 0 {
		return nil, fmt.Errorf("%s: %w", path, ErrEmpty)
	}
	h := &History{
		Path: path, Size: info.Size(), ModTime: info.ModTime(), byName: map[string]*HistorySession{}, open: map[string]*HistorySession{},
	}
	before := int64(0)
	err = h.file().eachLine(ctx, h.Size, func(at place, line string) (bool, error) {
		if err := h.add(line, lineRun{before, at.end, at.line}); err != nil && !at.open {
			h.noteBad(&LineError{at.line, err})
		}
		before = at.end
		return true, nil
	}, h.noteBad)
	if err == nil && h.Kind == "" {
		err = &UnknownError{path}
	}
	return h, err
}

func (h *History) file() fileSource {
	return fileSource{path: h.Path, open: func() (io.ReadCloser, error) { return regularfile.Open(h.Path) }}
}

func (h *History) noteBad(err *LineError) {
	if h.BadLines++; h.FirstBad == nil {
		h.FirstBad = err
	}
}

// add adds a line to its session.
func (h *History) add(line string, at lineRun) error {
	p, err := readPrompt(line)
	if err != nil {
		return err
	}
	if h.Kind == "" {
		h.Kind = p.kind
	}
	if p.kind != h.Kind {
		return errors.New("it is of another client's history")
	}
	s, err := h.sessionOf(p)
	if err != nil {
		return err
	}
	s.Prompts++
	if s.Project == "" {
		s.Project = p.project
	}
	if s.Last = p.at; s.First.IsZero() {
		s.First = p.at
	}
	if n := len(s.runs); n > 0 && s.runs[n-1].to == at.from {
		s.runs[n-1].to = at.to
		return nil
	}
	s.runs = append(s.runs, at)
	return nil
}

// sessionOf returns the session of a prompt: that of its name, else the last one in its project, until nothing was
// typed there for hours.
func (h *History) sessionOf(p prompt) (*HistorySession, error) {
	s := h.byName[p.session]
	id := p.session
	if p.session == "" {
		if s = h.open[p.project]; s != nil && p.at.Sub(s.Last).Abs() > longestPause {
			s = nil
		}
		sum := sha256.Sum256([]byte(p.project + "\x00" + p.stamp))
		id = "unnamed-" + hex.EncodeToString(sum[:8])
		if s == nil {
			s = h.byName[id] // A clock was set back.
		}
	}
	switch {
	case s != nil:
		return s, nil
	case len(h.Sessions) == mostSessions:
		return nil, fmt.Errorf("it is of a session after the first %d", mostSessions)
	}
	s = &HistorySession{ID: id, Project: p.project, Unnamed: p.session == ""}
	if h.byName[id] = s; s.Unnamed {
		h.open[p.project] = s
	}
	h.Sessions = append(h.Sessions, s)
	return s, nil
}

// Transcript returns what was typed into a session as a transcript. Texts that were pasted are read from the client's
// folder, in which the history lies.
func (h *History) Transcript(s *HistorySession) *File {
	return &File{
		Path: Address(h.Path, s.ID), Kind: h.Kind, Size: h.Size, ModTime: h.ModTime, source: historySource{h.file(), s},
		Session: Session{ID: s.ID, CWD: s.Project, Started: s.First},
	}
}

// historySource is the lines of one session of a history.
type historySource struct {
	file    fileSource
	session *HistorySession
}

// eachLine reads the lines where they stood when the history was opened. One that isn't of the session any more is a
// bad line: the history was rewritten.
func (s historySource) eachLine(ctx context.Context, _ int64, fn func(place, string) (bool, error), bad func(*LineError)) error {
	f, err := regularfile.Open(s.file.path)
	if err != nil {
		return fmt.Errorf("read history: %w", err)
	}
	defer f.Close()
	l := newLines(strings.NewReader(""))
	for _, run := range s.session.runs {
		l.r.Reset(io.NewSectionReader(f, run.from, run.to-run.from))
		l.n, l.offset = run.line-1, run.from
		for {
			line, err := l.next(ctx)
			var wrong *LineError
			if errors.As(err, &wrong) {
				bad(wrong)
				continue
			}
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return fmt.Errorf("read history %s: %w", s.file.path, err)
			}
			if more, err := fn(place{line: l.n, end: l.offset}, line); err != nil || !more {
				return err
			}
		}
	}
	return nil
}

// prompt is a line of a history.
type prompt struct {
	kind             Kind
	session, project string
	stamp            string // Its time as it stands there: milliseconds of Claude Code, seconds of Codex.
	at               time.Time
	display          jstext.Value
	pasted           jstext.Value
}

// readPrompt reads a line of a history. The texts in it aren't decoded.
func readPrompt(line string) (p prompt, err error) {
	found := map[string]jstext.Value{}
	err = eachField(line, func(key, value string) bool {
		switch key {
		case "display", "pastedContents", "timestamp", "project", "sessionId", "session_id", "ts", "text":
			found[key] = jstext.Value(value)
		}
		return true
	})
	if err != nil {
		return p, err
	}
	p = prompt{kind: ClaudeHistory, display: found["display"], pasted: found["pastedContents"], session: found["sessionId"].Text(), stamp: string(found["timestamp"])}
	p.project = strings.Clone(found["project"].Text())
	if !p.display.Defined() && found["text"].Defined() {
		p = prompt{kind: CodexHistory, display: found["text"], session: found["session_id"].Text(), stamp: string(found["ts"])}
	}
	switch {
	case jstext.Trim(p.display.Text()) == "":
		return p, errors.New("a line without a prompt")
	case p.session != "" && !sessionName.MatchString(p.session), p.session == "" && p.kind == CodexHistory:
		return p, errors.New("a session id that no client makes")
	}
	p.session = strings.Clone(p.session)
	if p.at = firstTime(jstext.Value(p.stamp)); p.kind == CodexHistory {
		p.at = firstTime(jstext.Value(p.stamp + "000"))
	}
	if p.stamp = strings.Clone(p.stamp); p.at.IsZero() {
		p.stamp = "0"
	}
	return p, nil
}
