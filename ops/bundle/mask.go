package bundle

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/export"
)

// mask replaces names. The same name has the same replacement in every file of a bundle.
type mask struct {
	salt      [16]byte
	scrubber  *export.Pseudonyms
	summaries map[string]string
	files     map[string]string
}

func newMask(convs []lcm.Conversation) *mask {
	m := &mask{summaries: map[string]string{}, files: map[string]string{}}
	_, _ = rand.Read(m.salt[:]) // It never fails.
	var keys []string
	for _, c := range convs {
		keys = append(keys, c.SessionKey, c.SessionID)
	}
	m.scrubber = export.NewPseudonyms(keys)
	return m
}

// digest returns a digest of a text in n hexadecimal digits. Equal texts have equal digests, and
// nobody can try out texts, because the salt is thrown away.
func (m *mask) digest(text string, n int) string {
	h := hmac.New(sha256.New, m.salt[:])
	h.Write([]byte(text))
	return hex.EncodeToString(h.Sum(nil))[:n]
}

// key returns the pseudonym of a session key, or empty.
func (m *mask) key(key string) string { return m.scrubber.Key(key) }

// summary and file are the numbers by which a summary and a large file are known in a bundle.
func (m *mask) summary(id string) string { return numbered(m.summaries, "S", id) }
func (m *mask) file(id string) string    { return numbered(m.files, "F", id) }

func numbered(known map[string]string, lead, id string) string {
	if id == "" {
		return ""
	}
	name, ok := known[id]
	if !ok {
		name = lead + strconv.Itoa(len(known)+1)
		known[id] = name
	}
	return name
}

// row returns an id as a finding names it: numbers stay.
func (m *mask) row(id string) string {
	switch _, err := strconv.ParseInt(id, 10, 64); {
	case err == nil, id == "":
		return id
	case strings.HasPrefix(id, "sum_"):
		return m.summary(id)
	case strings.HasPrefix(id, "file_"):
		return m.file(id)
	}
	return m.digest(id, 12)
}

// word returns a word of a short list that hosts have, or "other".
func word(s string, known ...string) string {
	if s == "" || slices.Contains(known, s) {
		return s
	}
	return "other"
}

// lane says what kind of session a key is of.
func lane(key string) string {
	parts := strings.Split(key, ":")
	if len(parts) < 3 || parts[0] != "agent" {
		if key == "" {
			return "no key"
		}
		return "other"
	}
	return word(parts[2], "main", "cron", "subagent", "telegram", "whatsapp", "discord", "slack", "signal", "imessage", "msteams", "matrix", "webchat", "hook", "acp")
}

// state returns a row of one of the host's tables of state, with numbers and times as they are. Of
// other texts only their lengths stay.
func (m *mask) state(row data.Row) map[string]any {
	out := map[string]any{}
	for column, v := range row {
		text, isText := v.(string)
		switch at, isTime := data.ParseTime(text); {
		case !isText:
			out[column] = v
		case isTime:
			out[column] = at.Unix()
		case text == "":
			out[column] = ""
		default:
			out[column] = map[string]any{"length": len(text), "digest": m.digest(text, 12)}
		}
	}
	return out
}

// unix returns a time in seconds, or nil where it is none.
func unix(t data.Time) any {
	if !t.Valid() {
		return nil
	}
	return t.Unix()
}
