package replica

import "strings"

// safeJSON returns JSON as a text that the server's type jsonb takes: it refuses the escape of a NUL character, whose sign stands in its
// place.
func safeJSON(text []byte) string {
	s := string(text)
	if !strings.Contains(s, `\u0000`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		if strings.HasPrefix(s[i:], `\u0000`) {
			b.WriteString("\u2400")
			i += len(`\u0000`) - 1
			continue
		}
		b.WriteString(s[i : i+2])
		i++
	}
	return b.String()
}

// safeText returns a text that the server takes.
func safeText(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\u2400")
}
