package mcp

import (
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"lcm-tui/data"
	"lcm-tui/data/jstext"
	"lcm-tui/engine/retrieve"
)

// Output limits by the name that a client gives itself, in UTF-16 code units as clients count
// them. Claude Code puts a result of more than 50,000 into a file, and the host's own tools end
// at 40,000. Codex counts bytes, and cuts the middle out of what is longer than 12,000.
const (
	claudeChars  = 40_000
	codexBytes   = 10_000
	defaultChars = 20_000
)

// limit is how long an answer may be.
type limit struct {
	most  int
	bytes bool // It counts bytes.
}

// limitOf returns the limit of a client: maxChars if it is set, else by the client's name. One without a name may be any: over
// HTTP most say theirs at the start only, and no later request has it.
func limitOf(client string, maxChars int) limit {
	switch {
	case maxChars > 0:
		return limit{most: maxChars}
	case strings.HasPrefix(client, "claude-code"):
		return limit{most: claudeChars}
	case strings.HasPrefix(client, "codex"), client == "":
		return limit{most: codexBytes, bytes: true}
	}
	return limit{most: defaultChars}
}

// length returns how long a text is by this limit.
func (l limit) length(text string) int {
	if l.bytes {
		return len(text)
	}
	return jstext.Length(text)
}

// head returns the longest beginning of text, in whole characters, that has at most n of what the
// limit counts.
func (l limit) head(text string, n int) string {
	for i, r := range text {
		if l.bytes {
			n -= utf8.RuneLen(r)
		} else {
			n -= max(utf16.RuneLen(r), 1)
		}
		if n < 0 {
			return text[:i]
		}
	}
	return text
}

// answer is what a tool says.
type answer struct {
	text string
	// isRow reports whether a line begins a row of the answer; nil counts every line.
	isRow func(line string) bool
	// narrower says how to ask for less.
	narrower string
	// failed marks an answer that says why there is none.
	failed bool
	// warnings are what keeps the answer from being whole, such as damage of the file, or what a replica lacks.
	warnings []error
}

// warningsOf returns what keeps answers about a database from being whole: what reads met, and what a replica was not sent.
func warningsOf(db *data.DB) []error {
	out := db.Warnings()
	if r, ok := db.Replica(); ok {
		for _, err := range []error{r.SomeConversations(), r.NoMessages()} {
			if err != nil {
				out = append(out, err)
			}
		}
	}
	return out
}

// cut returns the text within a limit. It ends behind a whole row, and a last line says how many rows
// are left out and how to get them. A row that is longer than the limit by itself is cut within.
func (a answer) cut(l limit) string {
	text, end := retrieve.WithoutControls(a.text), ""
	for _, w := range a.warnings {
		end += "\n*(warning: " + oneLine(w.Error(), maxWarning) + "; rows may be missing)*"
	}
	l.most -= l.length(end)
	return a.cutRows(text, l) + end
}

// maxWarning is how much of a warning is shown, in UTF-16 code units.
const maxWarning = 300

// cutRows returns a text within a limit.
func (a answer) cutRows(text string, l limit) string {
	if l.length(text) <= l.most {
		return text
	}
	room := l.most - max(l.length(a.truncation(0)), l.length(a.truncation(len(text))))
	kept := l.head(text, max(room, 0))
	if end := a.lastRowEnd(text, kept); end > 0 && l.length(text[end:a.rowEnd(text, end)]) <= room {
		return strings.TrimRight(text[:end], "\n") + a.truncation(a.countRows(text[end:]))
	}
	if i := strings.LastIndexAny(kept, " \n"); i > max(0, len(kept)-maxKeptWord) {
		kept = kept[:i] // A part of an id would look like another id.
	}
	rest := text[len(kept):]
	if kept != "" {
		_, rest, _ = strings.Cut(rest, "\n")
	}
	return strings.TrimRight(kept, "\n") + a.truncation(a.countRows(rest))
}

// maxKeptWord is how long a word is that isn't cut, in bytes.
const maxKeptWord = 48

// lastRowEnd returns where the last whole row of kept ends in text, or 0 if it holds none.
func (a answer) lastRowEnd(text, kept string) (end int) {
	inRows := false
	for at := 0; at < len(text) && at <= len(kept); {
		next := len(text)
		if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
			next = at + i + 1
		}
		if a.begins(text[at:next]) {
			if inRows {
				end = at // The row before it is whole.
			}
			inRows = true
		}
		at = next
	}
	return end
}

// rowEnd returns where the row ends whose first line begins at from.
func (a answer) rowEnd(text string, from int) int {
	at := from
	for line := range strings.Lines(text[from:]) {
		if at > from && a.begins(line) {
			break
		}
		at += len(line)
	}
	return at
}

func (a answer) begins(line string) bool {
	line = strings.TrimRight(line, "\n")
	if a.isRow == nil {
		return line != ""
	}
	return a.isRow(line)
}

// countRows counts the rows that begin in text.
func (a answer) countRows(text string) (n int) {
	for line := range strings.Lines(text) {
		if a.begins(line) {
			n++
		}
	}
	return n
}

// truncation returns the last line of a text that was cut.
func (a answer) truncation(rows int) string {
	what := "the rest of the last row is"
	switch {
	case rows == 1:
		what = "1 more row is"
	case rows > 1:
		what = fmt.Sprintf("%d more rows are", rows)
	}
	return "\n*(truncated: " + what + " left out; " + a.narrower + ")*"
}
