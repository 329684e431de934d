package transcript

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"strings"

	"lcm-tui/data/jstext"
	"lcm-tui/internal/regularfile"
)

// Mark is a place between two lines of a session file of Claude Code or Codex, with what a reader has to
// know of the lines before it. From a mark on a file is read without them.
type Mark struct {
	Offset int64 `json:"offset"` // In bytes, behind the line before the place.
	Line   int64 `json:"line"`   // The number of that line.
	// Node is the id of the last entry before the place that is in the tree of entries.
	Node string `json:"node,omitempty"`
	// Names are those of the tools that were called and haven't answered, by the call's id.
	Names map[string]string `json:"names,omitempty"`
	Model string            `json:"model,omitempty"` // That Codex noted last.
	// Before is the SHA-256 of the bytes before the place, as many as markedBytes: a file that was
	// rewritten has others there.
	Before string `json:"before"`
}

// markedBytes is how many bytes before a mark are compared, and mostNames how many tools that haven't
// answered a mark remembers.
const (
	markedBytes = 4 << 10
	mostNames   = 1000
)

// ErrMoved says that a session file doesn't go on from a mark: it was rewritten, or the user went back in
// the session. It has to be read from its beginning.
var ErrMoved = errors.New("the session file doesn't go on from where it was read to")

// OpenAt opens a session file to read what follows a mark. Kind and session are those of the file that the
// mark is of. The error is ErrMoved where the file isn't that one any more; Entries returns it where the
// new entries don't follow the last one before the mark.
func OpenAt(_ context.Context, path string, kind Kind, session Session, m Mark) (*File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("open transcript: %w", err)
	}
	if !info.Mode().IsRegular() || info.Size() < m.Offset {
		return nil, fmt.Errorf("%s: %w", path, ErrMoved)
	}
	if before, err := hashBefore(path, m.Offset); err != nil || before != m.Before {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, ErrMoved), err)
	}
	f := &File{Path: path, Kind: kind, Size: info.Size(), ModTime: info.ModTime(), Session: session, Follow: true, from: &m, isPlain: true}
	f.source = fileSource{path, func() (io.ReadCloser, error) { return regularfile.Open(path) }, place{line: m.Line, end: m.Offset}}
	return f, nil
}

// hashBefore returns the hash of the bytes before an offset.
func hashBefore(path string, offset int64) (string, error) {
	h, err := regularfile.Open(path)
	if err != nil {
		return "", err
	}
	defer h.Close()
	from := max(0, offset-markedBytes)
	sum := sha256.New()
	if _, err := io.Copy(sum, io.NewSectionReader(h, from, offset-from)); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// marker notes, while entries are read, the places from which they can be read on.
type marker struct {
	look  nodeReader
	end   Mark // Behind the last line that was read whole.
	group Mark // Before the last answer of the model, or the last other message.
	// returned says that the user of Codex or Gemini CLI went back and wrote nothing since: the next reading sees that again.
	returned bool
}

// goesBack reports whether a line says that the user of Codex or Gemini CLI went back.
func goesBack(line string) bool {
	return turnsBack(line) > 0 || strings.Contains(line, rewindMember) && rewindTarget(jstext.Parse(line)) != ""
}

// wentBack reports whether a line of the file says that its user went back. Where the file is read from a mark, that fails with ErrMoved.
func (f *File) wentBack(ctx context.Context) (some bool, err error) {
	err = f.eachLine(ctx, func(_ place, line string) (bool, error) {
		some = goesBack(line)
		return !some, nil
	}, nil)
	if err == nil && some && f.from != nil {
		err = fmt.Errorf("%s: %w", f.Path, ErrMoved)
	}
	return some, err
}

// pass notes a line that was read, of which entries came, and the model before it. One without an end is read again the
// next time.
func (m *marker) pass(at place, line string, entries []Entry, model string) {
	if m == nil || at.open {
		return
	}
	if len(entries) > 0 && !entries[0].Continues {
		m.end.Model = model
		m.group = m.end
		m.group.Node = strings.Clone(m.end.Node) // A part of a line holds the whole in memory.
	}
	m.returned = len(entries) == 0 && (m.returned || m.look == nil && goesBack(line))
	if m.returned {
		return
	}
	m.end.Line, m.end.Offset = at.line, at.end
	if m.look == nil {
		return
	}
	if n, ok, err := m.look(line); ok && err == nil {
		m.end.Node = n.id
	}
}

// Mark returns the place behind what Entries gave when it was read to its end last; held says that the last
// answer isn't counted to that. Not ok is a file that can't be read on from a place: one of OpenClaw, a
// packed one, or one with very many calls of tools that haven't answered.
func (f *File) Mark(held bool) (m Mark, ok bool) {
	if f.marker == nil || !f.isPlain || f.Kind == OpenClaw || len(f.called) > mostNames {
		return Mark{}, false
	}
	m = f.marker.end
	m.Model = f.model
	if held {
		m = f.marker.group
	}
	m.Node, m.Names = strings.Clone(m.Node), maps.Clone(f.called)
	var err error
	m.Before, err = hashBefore(f.Path, m.Offset)
	return m, err == nil
}

// beginMarker returns the marker of a reading; nil where the file isn't to be read on.
func (f *File) beginMarker() *marker {
	if !f.Follow {
		return nil
	}
	m := &marker{look: f.nodeReader()}
	if f.from != nil {
		m.end = *f.from
		m.group = m.end
	}
	return m
}
