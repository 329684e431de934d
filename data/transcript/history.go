package transcript

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"lcm-tui/data/jstext"
	"lcm-tui/internal/regularfile"
)

// The kinds of histories of prompts: what a user typed, which an agent's program keeps when it deletes a session.
const (
	ClaudeHistory Kind = "claude-history"
	CodexHistory  Kind = "codex-history"
)

// PromptsOnly ends the id and the key of a session of which only prompts are left.
const PromptsOnly = ":prompts"

// newSession is how long nothing was typed in a project before a prompt that names no session begins another one.
const newSession = 4 * time.Hour

// Histories returns the sessions of a history of prompts, in the order in which they began. The file is read once; of
// each line only its place is kept. The id of a session ends with PromptsOnly.
func Histories(ctx context.Context, path string, kind Kind) (sessions []*File, err error) {
	h, err := regularfile.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read history: %w", err)
	}
	defer h.Close()
	info, err := h.Stat()
	if err != nil {
		return nil, fmt.Errorf("read history: %w", err)
	}
	byID, last := map[string]*File{}, map[string]*unnamed{}
	l := newLines(h)
	for {
		begin := l.offset
		line, err := l.next(ctx)
		var wrong *LineError
		switch {
		case errors.As(err, &wrong):
			continue
		case errors.Is(err, io.EOF):
			return sessions, nil
		case err != nil:
			return nil, fmt.Errorf("read history: %w", err)
		}
		p, ok := readPrompt(line, kind)
		if !ok {
			continue // It is torn, or says nothing.
		}
		id := p.session
		if id == "" {
			id = unnamedSession(last, p)
		}
		f := byID[id]
		if f == nil {
			f = &File{Path: path + "#" + id, Kind: kind, ModTime: info.ModTime(), Session: Session{ID: id + PromptsOnly, CWD: p.project, Started: p.at, Current: true}}
			f.source = &historySource{path: path}
			byID[id] = f
			sessions = append(sessions, f)
		}
		s := f.source.(*historySource)
		s.lines = append(s.lines, span{begin, l.offset, l.n})
		f.Size += l.offset - begin
	}
}

// unnamed is a session of prompts that name none.
type unnamed struct {
	id   string
	last time.Time
}

// unnamedSession returns the session of a prompt that names none: that of the project, unless nothing was typed for
// long.
func unnamedSession(last map[string]*unnamed, p prompt) string {
	u := last[p.project]
	if u == nil || p.at.Sub(u.last) > newSession {
		sum := sha256.Sum256([]byte(p.project))
		u = &unnamed{id: fmt.Sprintf("history-%d-%s", p.at.UnixMilli(), hex.EncodeToString(sum[:4]))}
		last[p.project] = u
	}
	u.last = p.at
	return u.id
}

// prompt is a line of a history.
type prompt struct {
	session, project, text string
	stamp                  string // The time as the line has it.
	at                     time.Time
	pasted                 jstext.Value
}

// readPrompt reads a line. Claude Code counts milliseconds, Codex seconds.
func readPrompt(line string, kind Kind) (p prompt, ok bool) {
	session, typed, stamp, unit := "sessionId", "display", "timestamp", int64(1)
	if kind == CodexHistory {
		session, typed, stamp, unit = "session_id", "text", "ts", 1000
	}
	err := eachField(line, func(key, value string) bool {
		switch key {
		case session:
			p.session = strings.Clone(text(value))
		case typed:
			p.text = strings.Clone(text(value))
		case stamp:
			p.stamp = strings.Clone(value)
		case "project":
			p.project = strings.Clone(text(value))
		case "pastedContents":
			p.pasted = jstext.Parse(value)
		}
		return true
	})
	if err != nil {
		return p, false
	}
	ms, err := strconv.ParseInt(p.stamp, 10, 64)
	if err != nil || ms <= 0 || ms > 1<<43 || jstext.Trim(p.text) == "" {
		return p, false
	}
	p.at = time.UnixMilli(ms * unit).UTC()
	return p, true
}

// span is where a line stands, and its number.
type span struct{ begin, end, line int64 }

// historySource has the lines of one session among those of others.
type historySource struct {
	path  string
	lines []span
}

func (s *historySource) eachLine(ctx context.Context, _ int64, fn func(place, string) (bool, error), _ func(*LineError)) error {
	h, err := regularfile.Open(s.path)
	if err != nil {
		return fmt.Errorf("read history: %w", err)
	}
	defer h.Close()
	for _, at := range s.lines {
		b := make([]byte, at.end-at.begin)
		if _, err := h.ReadAt(b, at.begin); err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("read history: %w", err)
		}
		if more, err := fn(place{line: at.line, end: at.end}, string(b)); err != nil || !more || ctx.Err() != nil {
			return errors.Join(err, ctx.Err())
		}
	}
	return nil
}

// history reads the lines of a session.
type history struct {
	kind    Kind
	session string
	folder  string         // Of the history.
	last    time.Time      // Of the prompt before.
	same    map[string]int // How often a prompt was there before, by its id without the number.
}

func (*history) unfinished() bool { return false }

func (*history) state() (called map[string]string, model string) { return nil, "" }

func (h *history) read(line string, at place) ([]Entry, error) {
	p, ok := readPrompt(line, h.kind)
	if !ok || p.session != "" && p.session+PromptsOnly != h.session {
		return nil, errors.New("another line stood here before") // The file was rewritten in the meantime.
	}
	sum := sha256.Sum256([]byte(p.text))
	id := "history:" + p.stamp + ":" + hex.EncodeToString(sum[:8])
	h.same[id]++
	e := Entry{Line: at.line, End: at.end, ID: id + ":" + strconv.Itoa(h.same[id]), At: p.at}
	if !h.last.IsZero() && e.At.Before(h.last) {
		e.At = h.last.Add(time.Millisecond)
	}
	h.last = e.At
	text, lost := h.withPasted(p)
	role := "user"
	if strings.HasPrefix(p.text, "/") {
		role = "system"
	}
	e.Message = message(role, jstext.Quote(text), func(o *jstext.Object) {
		o.Put("source", jstext.Quote(string(h.kind)))
		o.Put("complete", jstext.False)
		if !e.At.Equal(p.at) {
			o.Put("recorded_at", jstext.Quote(p.at.Format("2006-01-02T15:04:05.000Z")))
		}
		if lost {
			o.Put("paste_lost", jstext.True)
		}
	})
	return []Entry{e}, nil
}

// pastedText stands in a prompt in place of a text that was pasted.
var pastedText = regexp.MustCompile(`\[Pasted text #(\d+)(?: \+\d+ lines?)?\]`)

// withPasted puts the texts that were pasted in their places. lost says that one isn't there any more.
func (h *history) withPasted(p prompt) (text string, lost bool) {
	text = pastedText.ReplaceAllStringFunc(p.text, func(mark string) string {
		pasted := p.pasted.Field(pastedText.FindStringSubmatch(mark)[1])
		if content := pasted.Field("content"); content.IsString() {
			return content.Text()
		}
		whole, ok := h.readPaste(pasted.Field("contentHash").Text())
		if !ok {
			lost = true
			return mark
		}
		return whole
	})
	return text, lost
}

// pasteHash is the name of a file with a pasted text: the first digits of its SHA-256.
var pasteHash = regexp.MustCompile(`^[0-9a-f]{16,64}$`)

// readPaste reads a text that was pasted, if it is still there and is that text.
func (h *history) readPaste(hash string) (string, bool) {
	if !pasteHash.MatchString(hash) {
		return "", false
	}
	root, err := os.OpenRoot(h.folder) // It follows no link out of the folder.
	if err != nil {
		return "", false
	}
	defer root.Close()
	name := filepath.Join("paste-cache", hash+".txt")
	if info, err := root.Stat(name); err != nil || !info.Mode().IsRegular() || info.Size() > maxPersisted {
		return "", false
	}
	b, err := root.ReadFile(name)
	sum := sha256.Sum256(b)
	return string(b), err == nil && utf8.Valid(b) && strings.HasPrefix(hex.EncodeToString(sum[:]), hash)
}
