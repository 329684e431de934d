package compare

import (
	"hash/maphash"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/lazyregexp"
)

// Mark is a stored message or an entry of a transcript, as far as it takes to match them. It
// compares only with marks of the same Marker.
type Mark struct {
	entry, text uint64 // Hashes of the entry's id, or 0, and of role and text.
	role        uint64
	size        int32 // Of the text in bytes.
	hasFile     bool  // The text names a file, into which a part of the message went.
	isForgotten bool  // Of a stored message whose text is a stub; size is that of the text that was there.
	masked      *mask // Of an entry in whose text the host masked secrets.
}

// Marker makes marks.
type Marker struct{ seed maphash.Seed }

// NewMarker returns a marker whose marks compare with each other only.
func NewMarker() *Marker { return &Marker{maphash.MakeSeed()} }

// fileID is the id of a file in a reference, which may be another each time that the message
// is stored.
var fileID = lazyregexp.New(lcm.FileIDPattern)

// Stored returns the mark of a stored message.
func (m *Marker) Stored(entry, role, content string) Mark {
	out := Mark{size: int32(min(len(content), 1<<30)), role: maphash.String(m.seed, role)}
	if entry != "" {
		out.entry = maphash.String(m.seed, entry)
	}
	if f, ok := data.ParseForgotten(content); ok {
		out.isForgotten, out.size = true, int32(min(f.Bytes, 1<<30))
	}
	if strings.Contains(content, lcm.FileIDPrefix) {
		content, out.hasFile = fileID.ReplaceAllString(content, lcm.FileIDPrefix), true
	}
	var h maphash.Hash
	h.SetSeed(m.seed)
	_, _ = h.WriteString(role)
	_ = h.WriteByte(0)
	_, _ = h.WriteString(content)
	out.text = h.Sum64()
	return out
}

// Entry returns the mark of an entry, by role and content as a host stores it.
func (m *Marker) Entry(id, role, content string) Mark {
	out := m.Stored(id, role, content)
	out.masked = newMask(role, content)
	return out
}

// mask is a text in which OpenClaw masked secrets before it wrote the transcript: *** in the
// place of a short one, the ends of a long one around an ellipsis.
type mask struct {
	role   string
	pieces []string // What stands before, between and behind the masks.
}

// The forms of a mask.
const (
	shortMask = "***"
	longMask  = "…"
)

var maskForms = strings.NewReplacer(shortMask, "\x00", longMask, "\x00")

// newMask returns the mask of a text, or nil.
func newMask(role, text string) *mask {
	if !strings.Contains(text, shortMask) && !strings.Contains(text, longMask) {
		return nil
	}
	return &mask{role, strings.Split(maskForms.Replace(text), "\x00")}
}

// maxSecret is the length in bytes of the longest secret that a mask stands for.
const maxSecret = 8 << 10

// hides reports whether a text is the one that was masked.
func (m *mask) hides(role, text string) bool {
	first, last := m.pieces[0], m.pieces[len(m.pieces)-1]
	if role != m.role || !strings.HasPrefix(text, first) || !strings.HasSuffix(text[len(first):], last) {
		return false
	}
	rest := text[len(first) : len(text)-len(last)]
	for _, piece := range m.pieces[1 : len(m.pieces)-1] {
		at := strings.Index(rest, piece)
		if at < 0 || at > maxSecret {
			return false
		}
		rest = rest[at+len(piece):]
	}
	return len(rest) <= maxSecret
}
