package bundle

import (
	"bufio"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"lcm-tui/data"
	"lcm-tui/data/jstext"
	"lcm-tui/ops/slice"
)

// structure writes a copy of one conversation whose texts are made up.
func (m *maker) structure(w *bufio.Writer) (err error) {
	part := filepath.Join(m.folder, "slice.part")
	defer func() { err = errors.Join(err, removed(part)) }()
	r := slice.Request{Conversations: []int64{m.r.Structure}, Lineage: slice.LineageCut, ForgetPaths: true}
	if _, err := slice.Write(m.ctx, m.db, part, r, m.report); err != nil {
		return err
	}
	if err := slice.ReplaceTexts(m.ctx, part, m.mask.filler); err != nil {
		return err
	}
	f, err := os.Open(part)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, f)
	return errors.Join(err, f.Close())
}

func removed(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// keptColumns hold words of the format, which say nothing.
var keptColumns = map[string]bool{
	"role": true, "kind": true, "item_type": true, "part_type": true, "status": true, "step_id": true, "algorithm": true,
	"algorithm_version": true, "step_name": true, "retention": true, "cache_state": true,
}

// filler returns what stands in the place of a text: the same length and shape, other letters. Equal
// texts have equal fillers, so that what names something still names it.
func (m *mask) filler(table, column, text string) string {
	switch {
	case text == "" || keptColumns[column] || strings.HasPrefix(table, "lcm_migration"):
		return text
	case column == "session_key":
		return m.key(text)
	case column == "archive_cause" && slices.Contains(archiveCauses, text):
		return text
	}
	if _, ok := data.ParseTime(text); ok {
		return text
	}
	if v := jstext.Parse(text); v.IsObject() || v.IsArray() {
		return string(m.fillJSON(v, ""))
	}
	return m.fill(text)
}

// keptMembers are members of JSON whose values are words of the format.
var keptMembers = map[string]bool{"type": true, "rawType": true, "role": true, "originalRole": true, "source": true, "externalizationReason": true}

// fillJSON fills the strings of a JSON value.
func (m *mask) fillJSON(v jstext.Value, member string) jstext.Value {
	switch {
	case v.IsString():
		if keptMembers[member] && len(v) <= 32 {
			return v
		}
		return jstext.Quote(m.fill(v.Text()))
	case v.IsArray():
		var out []jstext.Value
		for e := range v.Elements() {
			out = append(out, m.fillJSON(e, member))
		}
		return jstext.Array(out)
	case v.IsObject():
		var o jstext.Object
		for name, e := range v.Fields() {
			if !isMemberName(name) {
				name = m.fill(name)
			}
			o.Put(name, m.fillJSON(e, name))
		}
		return o.Value()
	}
	return v
}

// isMemberName reports whether the name of a member is one that programs give, and not data.
func isMemberName(name string) bool {
	if len(name) > 32 {
		return false
	}
	return strings.IndexFunc(name, func(r rune) bool { return r > 0x7f || !unicode.IsLetter(r) && r != '_' && r != '-' }) < 0
}

// fill replaces letters and digits by others of their kind, of the same number of bytes.
func (m *mask) fill(text string) string {
	for _, lead := range []string{"sum_", "file_"} { // A reference stays one.
		if strings.HasPrefix(text, lead) && len(text) == len(lead)+16 {
			return lead + m.digest(text, 16)
		}
	}
	stream := &noise{key: m.salt[:], seed: []byte(text)}
	var b strings.Builder
	b.Grow(len(text))
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case r >= 'a' && r <= 'z':
			b.WriteByte('a' + stream.next()%26)
		case r >= 'A' && r <= 'Z':
			b.WriteByte('A' + stream.next()%26)
		case r >= '0' && r <= '9':
			b.WriteByte('0' + stream.next()%10)
		case n == 1 && r != utf8.RuneError:
			b.WriteByte(text[i])
		case n == 2:
			b.WriteRune('\u00e0' + rune(stream.next()%0x16))
		case n == 3:
			b.WriteRune('\u4e00' + rune(stream.next())%0x100)
		case n == 4:
			b.WriteRune('\U0001f600' + rune(stream.next()%0x40))
		default:
			b.WriteByte('?')
		}
		i += n
	}
	return b.String()
}

// noise is bytes that look random and depend on a key and a text alone.
type noise struct {
	key, seed []byte
	block     [32]byte
	at        int
	round     byte
}

func (s *noise) next() byte {
	if s.at == 0 {
		h := hmac.New(sha256.New, s.key)
		h.Write(s.block[:])
		h.Write([]byte{s.round})
		if s.round == 0 {
			h.Write(s.seed)
		}
		h.Sum(s.block[:0])
		s.round = 1
	}
	c := s.block[s.at]
	s.at = (s.at + 1) % len(s.block)
	return c
}
