package integrity

import (
	"fmt"
	"regexp"
	"strings"

	"lcm-tui/data"
	"lcm-tui/engine/identity"
)

// twins are messages stored twice in different dress: once with the host's notes and
// once without, or once with secrets masked. They are looked for among the last few,
// since texts aren't kept.
type twins struct {
	*talk
	bodies map[uint64][]twin // What users said, without notes.
	recent []twin
	bytes  int
}

// twin is a message that another may be the twin of.
type twin struct {
	id, at    int64
	role      string
	text      string
	decorated bool
	masked    bool
}

const (
	twinSeconds = 120
	twinBytes   = 1 << 18 // Of texts that are kept to compare.
	leastBody   = 4       // Letters that are no coincidence.
)

func newTwins(t *talk) *twins { return &twins{talk: t, bodies: map[uint64][]twin{}} }

// meet compares a message with those before it.
func (w *twins) meet(m *data.RawMessage, s *said, p identity.Preamble, decorated bool) {
	if s.at == 0 {
		return
	}
	if m.Role == "user" {
		w.dressed(m, s, p, decorated)
	}
	w.masked(m, s)
}

// dressed: once with the host's notes, once without.
func (w *twins) dressed(m *data.RawMessage, s *said, p identity.Preamble, decorated bool) {
	body := strings.Trim(m.Content.Text, jsSpace)
	if decorated {
		body = strings.TrimSpace(p.Body)
	}
	if len(body) < leastBody {
		return
	}
	k := hash(body)
	near := w.bodies[k][:0]
	for _, o := range w.bodies[k] {
		if s.at-o.at > twinSeconds || o.at-s.at > twinSeconds {
			continue
		}
		near = append(near, o)
		if o.decorated != decorated {
			w.add(MessageDuplicate, message(m.ID), fmt.Sprintf("message %d says the same, one of the two with the host's notes and one without", o.id),
				number(o.id), number(m.ID)).Severity = Warn
		}
	}
	w.bodies[k] = append(near, twin{id: m.ID, at: s.at, decorated: decorated})
}

// mask is what hosts put in place of a secret.
var mask = regexp.MustCompile(`\*{3,}|\[REDACTED[^\]]*\]`)

// masked: once with secrets, once without.
func (w *twins) masked(m *data.RawMessage, s *said) {
	if s.blank || len(m.Content.Text) > twinBytes/8 {
		return
	}
	now := twin{id: m.ID, at: s.at, role: m.Role, text: m.Content.Text, masked: hasMask(m.Content.Text)}
	for _, o := range w.recent {
		if o.masked == now.masked && !now.masked || o.role != now.role || s.at-o.at > twinSeconds || o.text == now.text {
			continue
		}
		if now.masked && unmasked(now.text, o.text) || o.masked && unmasked(o.text, now.text) {
			w.add(MessageDuplicate, message(m.ID), fmt.Sprintf("message %d says the same, one of the two with secrets masked", o.id),
				number(o.id), number(m.ID)).Severity = Warn
		}
	}
	w.recent, w.bytes = append(w.recent, now), w.bytes+len(now.text)
	for w.bytes > twinBytes || len(w.recent) > 64 {
		w.bytes -= len(w.recent[0].text)
		w.recent = w.recent[1:]
	}
}

func hasMask(s string) bool { return strings.Contains(s, "***") || strings.Contains(s, "[REDACTED") }

// unmasked reports whether text is masked with something in place of each mask.
func unmasked(masked, text string) bool {
	pieces := mask.Split(masked, -1)
	known := 0
	for _, p := range pieces {
		known += len(strings.Trim(p, jsSpace))
	}
	first, last := pieces[0], pieces[len(pieces)-1]
	if known < longWords || len(pieces) < 2 || len(text) < len(first)+len(last) || !strings.HasPrefix(text, first) || !strings.HasSuffix(text, last) {
		return false
	}
	rest := text[len(first) : len(text)-len(last)]
	for _, p := range pieces[1 : len(pieces)-1] {
		i := strings.Index(rest, p)
		if i < 0 {
			return false
		}
		rest = rest[i+len(p):]
	}
	return true
}
