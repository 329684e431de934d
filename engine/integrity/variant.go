package integrity

import (
	"fmt"
	"strings"

	"lcm-tui/data/jstext"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/identity"
	"lcm-tui/engine/integrity/scan"
	"lcm-tui/internal/lazyregexp"
)

// variantSearch finds messages that are stored twice in different form: with and without
// the host's preamble, or with and without secrets. It compares with the last messages
// only, since it doesn't keep texts.
type variantSearch struct {
	found     *findings
	userTexts map[uint64][]variant // Messages of users without preamble, by hash.
	recent    []variant
	bytes     int
}

// variant is a message that a later one may repeat in another form.
type variant struct {
	id, unixTime int64
	role         string
	text         string
	isDecorated  bool
	isMasked     bool
}

const (
	variantSeconds = 120
	variantBytes   = 1 << 18 // How many bytes of texts are kept to compare.
	leastBodyBytes = 4       // Shorter texts may be equal by chance.
)

func newVariantSearch(found *findings) *variantSearch {
	return &variantSearch{found: found, userTexts: map[uint64][]variant{}}
}

// compare compares a message with those before it.
func (w *variantSearch) compare(raw *lcm.RawMessage, scanned *scan.Message, p identity.Preamble, decorated bool) {
	if scanned.UnixTime == 0 {
		return
	}
	if raw.Role == "user" {
		w.compareDecorated(raw, scanned, p, decorated)
	}
	w.compareMasked(raw, scanned)
}

// compareDecorated finds a message that is stored with and without the host's preamble.
func (w *variantSearch) compareDecorated(raw *lcm.RawMessage, scanned *scan.Message, p identity.Preamble, decorated bool) {
	body := jstext.Trim(raw.Content.Text)
	if decorated {
		body = strings.TrimSpace(p.Body)
	}
	if len(body) < leastBodyBytes {
		return
	}
	k := scan.Hash(body)
	near := w.userTexts[k][:0]
	for _, o := range w.userTexts[k] {
		if scanned.UnixTime-o.unixTime > variantSeconds || o.unixTime-scanned.UnixTime > variantSeconds {
			continue
		}
		near = append(near, o)
		if o.isDecorated != decorated {
			w.found.add(MessageDuplicate, messageAt(raw.ID), fmt.Sprintf("message %d has the same text, one of the two with the host's preamble", o.id),
				formatID(o.id), formatID(raw.ID)).Severity = Warn
		}
	}
	w.userTexts[k] = append(near, variant{id: raw.ID, unixTime: scanned.UnixTime, isDecorated: decorated})
}

// mask matches what hosts put in place of a secret.
var mask = lazyregexp.New(`\*{3,}|\[REDACTED[^\]]*\]`)

// compareMasked finds a message that is stored with and without secrets masked.
func (w *variantSearch) compareMasked(raw *lcm.RawMessage, scanned *scan.Message) {
	if scanned.IsBlank || len(raw.Content.Text) > variantBytes/8 {
		return
	}
	now := variant{id: raw.ID, unixTime: scanned.UnixTime, role: raw.Role, text: raw.Content.Text, isMasked: hasMask(raw.Content.Text)}
	for _, o := range w.recent {
		if o.isMasked == now.isMasked && !now.isMasked || o.role != now.role || scanned.UnixTime-o.unixTime > variantSeconds || o.text == now.text {
			continue
		}
		if now.isMasked && matchesMasked(now.text, o.text) || o.isMasked && matchesMasked(o.text, now.text) {
			w.found.add(MessageDuplicate, messageAt(raw.ID), fmt.Sprintf("message %d has the same text, one of the two with secrets masked", o.id),
				formatID(o.id), formatID(raw.ID)).Severity = Warn
		}
	}
	w.recent, w.bytes = append(w.recent, now), w.bytes+len(now.text)
	for w.bytes > variantBytes || len(w.recent) > 64 {
		w.bytes -= len(w.recent[0].text)
		w.recent = w.recent[1:]
	}
}

// hasMask reports whether a text may hold a masked secret.
func hasMask(s string) bool { return strings.Contains(s, "***") || strings.Contains(s, "[REDACTED") }

// matchesMasked reports whether text is masked with something in place of each mask.
func matchesMasked(masked, text string) bool {
	pieces := mask.Split(masked, -1)
	known := 0
	for _, p := range pieces {
		known += len(jstext.Trim(p))
	}
	first, last := pieces[0], pieces[len(pieces)-1]
	if known < leastRunes || len(pieces) < 2 || len(text) < len(first)+len(last) || !strings.HasPrefix(text, first) || !strings.HasSuffix(text, last) {
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
