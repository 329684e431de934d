package home

import (
	"strings"
	"unicode/utf8"
)

// PostgreSQL holds no NUL character and no bytes that aren't UTF-8, both of which stand in what tools print. Texts of a home have
// such a byte as the sign escape and two hexadecimal digits, and the sign itself as the sign and "..". Texts without any of them
// are stored as they are. The sign is a character that Unicode assigns to nothing.

const escape = "\U0010FFFE"

// textBytes returns the bytes that a text stands for, as decodeText does, in SQL. The ? is the text.
const textBytes = `(SELECT CASE WHEN strpos(r.t, '` + escape + `') = 0 THEN convert_to(r.t, 'UTF8') ELSE (
	SELECT string_agg(CASE WHEN p.n = 1 THEN convert_to(p.part, 'UTF8') WHEN p.part ~ '^[0-9a-f]{2}' THEN decode(left(p.part, 2), 'hex') || convert_to(substr(p.part, 3), 'UTF8')
		ELSE convert_to('` + escape + `' || substr(p.part, 3), 'UTF8') END, '' ORDER BY p.n)
	FROM unnest(string_to_array(r.t, '` + escape + `')) WITH ORDINALITY AS p(part, n)) END FROM (SELECT ? AS t) AS r)`

const hexDigits = "0123456789abcdef"

// encodeText returns a text as the server holds it.
func encodeText(text string) string {
	if !strings.Contains(text, "\x00") && !strings.Contains(text, escape) && utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1, r == 0:
			b.WriteString(escape)
			b.WriteByte(hexDigits[text[i]>>4])
			b.WriteByte(hexDigits[text[i]&15])
		case text[i:i+size] == escape:
			b.WriteString(escape + "..")
		default:
			b.WriteString(text[i : i+size])
		}
		i += size
	}
	return b.String()
}

// decodeText returns what encodeText was given.
func decodeText(text string) string {
	if !strings.Contains(text, escape) {
		return text
	}
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, escape)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		if len(after) < 2 { // A text that the server has cut.
			return b.String()
		}
		high, low := strings.IndexByte(hexDigits, after[0]), strings.IndexByte(hexDigits, after[1])
		if high >= 0 && low >= 0 {
			b.WriteByte(byte(high<<4 | low))
		} else {
			b.WriteString(escape)
		}
		text = after[2:]
	}
}
