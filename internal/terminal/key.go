package terminal

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// named are the keys that have no letter, as an xterm sends them.
var named = map[string]string{
	"enter": "\r", "esc": "\x1b", "tab": "\t", "shift+tab": "\x1b[Z", "space": " ", "backspace": "\x7f",
	"up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D",
	"home": "\x1b[H", "end": "\x1b[F", "pgup": "\x1b[5~", "pgdown": "\x1b[6~", "delete": "\x1b[3~",
	"f1": "\x1bOP", "f2": "\x1bOQ", "f3": "\x1bOR", "f4": "\x1bOS",
}

// Keys reads a script: names of keys with blanks between them, as in
// `down down enter ctrl+p`. A single character is its key, `key*3` is pressed
// three times, and text in quotes is typed letter by letter, as a Go string.
// Each element of the result is what one key press sends.
func Keys(script string) ([]string, error) {
	var out []string
	for rest := strings.TrimSpace(script); rest != ""; rest = strings.TrimSpace(rest) {
		if rest[0] == '"' && len(rest) > 1 && rest[1] != ' ' {
			quoted, err := strconv.QuotedPrefix(rest)
			if err != nil {
				return nil, fmt.Errorf("read keys %q: text without an end", script)
			}
			rest = rest[len(quoted):]
			text, _ := strconv.Unquote(quoted) // QuotedPrefix has checked it
			for _, r := range text {
				out = append(out, string(r))
			}
			continue
		}
		var token string
		token, rest, _ = strings.Cut(rest, " ")
		keys, err := repeated(token)
		if err != nil {
			return nil, fmt.Errorf("read keys %q: %w", script, err)
		}
		out = append(out, keys...)
	}
	return out, nil
}

// repeated reads one token, which may end in a number of times.
func repeated(token string) ([]string, error) {
	name, times := token, 1
	if i := strings.LastIndex(token, "*"); i > 0 && i < len(token)-1 {
		n, err := strconv.Atoi(token[i+1:])
		if err != nil || n < 1 || n > 1000 {
			return nil, fmt.Errorf("%q is not a number of times", token[i+1:])
		}
		name, times = token[:i], n
	}
	seq, err := sequence(name)
	if err != nil {
		return nil, err
	}
	out := make([]string, times)
	for i := range out {
		out[i] = seq
	}
	return out, nil
}

// sequence returns what one named key sends.
func sequence(name string) (string, error) {
	if seq, ok := named[name]; ok {
		return seq, nil
	}
	if utf8.RuneCountInString(name) == 1 {
		return name, nil
	}
	if c, ok := strings.CutPrefix(name, "ctrl+"); ok && len(c) == 1 && c[0] >= 'a' && c[0] <= 'z' {
		return string(c[0] & 0x1f), nil
	}
	if k, ok := strings.CutPrefix(name, "alt+"); ok {
		seq, err := sequence(k)
		return "\x1b" + seq, err
	}
	return "", fmt.Errorf("no key is called %q", name)
}
