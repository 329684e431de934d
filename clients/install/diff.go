package install

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff"

	"lcm-tui/internal/lazyregexp"
)

// maxLine is how many characters of a line a diff shows: some clients write the whole
// configuration on one line.
const maxLine = 240

// hidden stands for a secret in a diff.
const hidden = "…"

// secretName matches keys whose values may be secrets: they aren't shown.
var secretName = lazyregexp.New(`(?i)^(env|headers|http_headers)$|token|secret|password|passwd|auth|cookie|credential|(api|access|private)[-_]?key|^-*key$|bearer`)

// mayHoldSecret reports whether a key or an argument sounds like a secret.
func mayHoldSecret(name string) bool { return secretName.MatchString(name) }

// Diff returns what the change does to the file, as a unified diff. Strings of others that may be
// secrets aren't in it.
func (c *Change) Diff() string {
	before, after := c.shown(c.Before), c.shown(c.After)
	from, to := c.Path, c.Path
	if c.Creates {
		from = "/dev/null"
	}
	if c.Removes {
		to = "/dev/null"
	}
	text := udiff.Unified(from, to, before, after)
	lines := strings.SplitAfter(text, "\n")
	first, last := changedColumns(before, after)
	for i, line := range lines {
		if utf8.RuneCountInString(line) > maxLine {
			lines[i] = cutLine(line, first, last)
		}
	}
	return strings.Join(lines, "")
}

// shown returns a text without the secrets of others.
func (c *Change) shown(src []byte) string {
	var secrets []textRange
	if c.secretsOf != nil {
		secrets = c.secretsOf(src)
	} else if d, err := c.Client.read(src); err == nil && len(src) > 0 {
		secrets = d.secrets()
	}
	var b bytes.Buffer
	at := 0
	for _, r := range secrets {
		if r.start < at { // It lies in the one before.
			continue
		}
		b.Write(src[at:r.start])
		if r.end > r.start {
			b.WriteString(hidden)
		}
		at = r.end
	}
	b.Write(src[at:])
	return b.String()
}

// changedColumns returns the bytes of a text that the change is about, counted from the start of
// the line where it begins.
func changedColumns(before, after string) (first, last int) {
	i := 0
	for i < len(before) && i < len(after) && before[i] == after[i] {
		i++
	}
	start := strings.LastIndexByte(after[:i], '\n') + 1
	end := 0
	for end < len(before)-i && end < len(after)-i && before[len(before)-1-end] == after[len(after)-1-end] {
		end++
	}
	return i - start, max(len(before), len(after)) - end - start
}

// cutLine leaves of a long line of a diff what is about the change.
func cutLine(line string, first, last int) string {
	content, newline := strings.CutSuffix(line, "\n")
	const around = maxLine / 4
	from, to := max(1, first+1-around), min(len(content), last+1+around)
	from = min(from, len(content))
	to = max(from, min(to, from+4*maxLine))
	for from < len(content) && !utf8.RuneStart(content[from]) {
		from++
	}
	for to < len(content) && !utf8.RuneStart(content[to]) {
		to--
	}
	out := content[:1]
	if from > 1 {
		out += "… "
	}
	out += content[from:max(from, to)]
	if to < len(content) {
		out += " …"
	}
	if newline {
		out += "\n"
	}
	return out
}
