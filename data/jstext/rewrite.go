package jstext

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
)

// writer writes a JSON text that was looked through as JavaScript would.
type writer struct {
	s string
	i int
	b []byte
}

func (w *writer) space() {
	for w.i < len(w.s) && isSpace(w.s[w.i]) {
		w.i++
	}
}

func (w *writer) value() {
	w.space()
	switch w.s[w.i] {
	case '"':
		w.text()
	case '{':
		w.object()
	case '[':
		w.array()
	case 't', 'n':
		w.word(4)
	case 'f':
		w.word(5)
	default:
		start := w.i
		for w.i < len(w.s) && isNumeric(w.s[w.i]) {
			w.i++
		}
		w.b = appendNumber(w.b, w.s[start:w.i])
	}
}

func isNumeric(c byte) bool {
	return c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E'
}

func (w *writer) word(n int) {
	w.b = append(w.b, w.s[w.i:w.i+n]...)
	w.i += n
}

// text writes a string again, piece by piece, so that half surrogates survive.
func (w *writer) text() {
	end := endOfString(Value(w.s), w.i)
	in := w.s[w.i+1 : end-1]
	w.i = end
	w.b = append(w.b, '"')
	for len(in) > 0 {
		n := 0
		for n < len(in) && in[n] != '\\' {
			n++
		}
		w.inner(in[:n])
		if in = in[n:]; in == "" {
			break
		}
		r, n := unescape(in)
		if half := unit(in); n == 6 && half >= 0xd800 && half <= 0xdfff {
			w.b = append(w.b, '\\', 'u', hexDigits[half>>12], hexDigits[half>>8&15], hexDigits[half>>4&15], hexDigits[half&15])
		} else {
			w.inner(string(r))
		}
		in = in[n:]
	}
	w.b = append(w.b, '"')
}

// inner writes text between quotes that stand already.
func (w *writer) inner(s string) {
	q := Quote(s)
	w.b = append(w.b, q[1:len(q)-1]...)
}

func (w *writer) array() {
	w.b = append(w.b, '[')
	w.i++
	for first := true; ; first = false {
		w.space()
		switch w.s[w.i] {
		case ']':
			w.i++
			w.b = append(w.b, ']')
			return
		case ',':
			w.i++
		}
		if !first {
			w.b = append(w.b, ',')
		}
		w.value()
	}
}

// member is a member of an object; index is its key as a number, or -1.
type member struct {
	key, value Value
	index      int64
}

// object writes an object as JavaScript keeps it: keys that are indexes first, by
// number, then the others as they came; of two with one key the first's place and
// the last's value.
func (w *writer) object() {
	ms := w.members()
	slices.SortStableFunc(ms, func(a, b member) int {
		switch {
		case a.index >= 0 && b.index >= 0:
			return int(a.index - b.index)
		case a.index >= 0:
			return -1
		case b.index >= 0:
			return 1
		}
		return 0
	})
	w.b = append(w.b, '{')
	for i, m := range ms {
		if i > 0 {
			w.b = append(w.b, ',')
		}
		w.b = append(append(append(w.b, m.key...), ':'), m.value...)
	}
	w.b = append(w.b, '}')
}

func (w *writer) members() (ms []member) {
	at := map[Value]int{}
	w.i++
	for {
		w.space()
		switch w.s[w.i] {
		case '}':
			w.i++
			return ms
		case ',':
			w.i++
			w.space()
		}
		key := w.part((*writer).text)
		w.space()
		w.i++ // The colon.
		m := member{key: key, value: w.part((*writer).value), index: index(key)}
		if i, ok := at[key]; ok {
			ms[i].value = m.value
			continue
		}
		at[key] = len(ms)
		ms = append(ms, m)
	}
}

// part returns what a method writes and removes it from the output.
func (w *writer) part(write func(*writer)) Value {
	start := len(w.b)
	write(w)
	v := Value(w.b[start:])
	w.b = w.b[:start]
	return v
}

// index returns the array index that a key is, or -1.
func index(key Value) int64 {
	s := key.Text()
	n, err := strconv.ParseUint(s, 10, 32)
	if err != nil || n == math.MaxUint32 || strconv.FormatUint(n, 10) != s {
		return -1
	}
	return int64(n)
}

// appendNumber writes a number as JavaScript does, which the standard library's
// encoder follows.
func appendNumber(b []byte, s string) []byte {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsInf(f, 0) {
		return append(b, Null...) // Too large: JSON has no infinity.
	}
	if f == 0 {
		return append(b, '0')
	}
	out, err := json.Marshal(f)
	if err != nil {
		return append(b, Null...)
	}
	return append(b, out...)
}
