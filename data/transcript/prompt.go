package transcript

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"lcm-tui/data/jstext"
	"lcm-tui/internal/lazyregexp"
	"lcm-tui/internal/regularfile"
)

// prompts reads a session's lines of a history.
type prompts struct {
	kind    Kind
	session Session
	folder  string // The client's, in which pasted texts lie.
	last    time.Time
	seen    map[string]int // How often an entry came, by its id without the number.
}

func newPrompts(f *File) *prompts {
	path, _, _ := SplitAddress(f.Path)
	return &prompts{kind: f.Kind, session: f.Session, folder: filepath.Dir(path), seen: map[string]int{}}
}

func (*prompts) unfinished() bool { return false }

func (*prompts) state() (called map[string]string, model string) { return nil, "" }

// PasteLost is the member of an entry's notes that says that a text which was pasted into it is lost.
const PasteLost = "paste_lost"

// read returns what was typed: a command of the client is the system's. Times never go back.
func (r *prompts) read(line string, at place) ([]Entry, error) {
	v := jstext.Parse(line)
	if !v.IsObject() {
		return nil, errJSON
	}
	p, err := readPrompt(string(v))
	if err != nil {
		return nil, err
	}
	if p.kind != r.kind || p.session != "" && p.session != r.session.ID || p.session == "" && p.project != r.session.CWD {
		return nil, fmt.Errorf("the history was rewritten while it was read: %w", ErrMoved)
	}
	text, lost := r.withPastes(p.display.Text(), p.pasted)
	sum := sha256.Sum256([]byte(p.display.Text()))
	id := "history:" + p.stamp + ":" + hex.EncodeToString(sum[:8]) + ":"
	r.seen[id]++
	e := Entry{Line: at.line, End: at.end, ID: id + strconv.Itoa(r.seen[id]), At: p.at}
	if !r.last.IsZero() && e.At.Before(r.last) {
		e.At = r.last.Add(time.Millisecond)
	}
	if !e.At.IsZero() {
		r.last = e.At
	}
	role := "user"
	if strings.HasPrefix(p.display.Text(), "/") {
		role = "system"
	}
	e.Message = message(role, jstext.Quote(text), nil)
	var o jstext.Object
	o.Put("source", jstext.Quote(string(r.kind)))
	o.Put("complete", jstext.False)
	if !p.at.IsZero() {
		o.Put("timestamp", jstext.Value(strconv.FormatInt(p.at.UnixMilli(), 10)))
	}
	if lost {
		o.Put(PasteLost, jstext.True)
	}
	e.Note = o.Value()
	return []Entry{e}, nil
}

// placeholder matches what Claude Code shows in the place of a text or a picture that was pasted.
var placeholder = lazyregexp.New(`\[(?:Pasted text|Image|\.\.\.Truncated text) #(\d+)(?: \+\d+ lines)?(?:\.\.\.)?\]`)

// withPastes returns a text with what was pasted in the places of the placeholders. Where that is lost, or makes the
// text longer than a line may be, the placeholder stays.
func (r *prompts) withPastes(text string, pasted jstext.Value) (out string, lost bool) {
	if r.kind != ClaudeHistory {
		return text, false
	}
	room := maxLine - len(text)
	out = placeholder.ReplaceAllStringFunc(text, func(shown string) string {
		body, ok := r.paste(pasted.Field(placeholder.FindStringSubmatch(shown)[1]))
		if !ok || len(body) > room {
			lost = true
			return shown
		}
		room -= len(body)
		return body
	})
	return out, lost
}

// contentHash matches the names of pasted texts in the client's folder: the first digits of their SHA-256.
var contentHash = lazyregexp.New(`^[0-9a-f]{16}$`)

// paste returns a text that was pasted: it stands beside the prompt, or in a file of the client that has its hash.
func (r *prompts) paste(v jstext.Value) (text string, ok bool) {
	if v.Field("type").Text() != "text" {
		return "", false
	}
	if c := v.Field("content"); c.IsString() {
		return c.Text(), true
	}
	name := v.Field("contentHash").Text()
	if !contentHash.MatchString(name) {
		return "", false
	}
	path := filepath.Join(r.folder, "paste-cache", name+".txt")
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return "", false
	}
	b, err := regularfile.Read(path, maxLine)
	if err != nil {
		return "", false
	}
	if sum := sha256.Sum256(b); hex.EncodeToString(sum[:8]) != name {
		return "", false
	}
	return string(b), true
}
