package bundle

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lcm-tui/internal/lazyregexp"
	"lcm-tui/internal/regularfile"
)

// How much of the host's logs is looked at and kept: the newest files, bytes of each, and lines.
const (
	logFiles = 3
	logBytes = 32 << 20
	logLines = 2000
)

var (
	// quoted matches a quoted text, which may be what someone said.
	quoted = lazyregexp.New("\"(?:[^\"\\\\\n]|\\\\.){9,}\"|'[^'\n]{9,}'|`[^`\n]{9,}`|“[^”\n]{9,}”")
	// path matches a path of a file system.
	path = lazyregexp.New(`(?:~|[A-Za-z]:)?(?:[/\\][\w.@+-]+){2,}[/\\]?`)
	// identifier matches ids that lead to what was said.
	identifier = lazyregexp.New(`\b(?:sum|file|toolu|call|msg|req|resp)_[A-Za-z0-9]{6,}\b`)
)

// log keeps the lines of the host's logs that are about lcm.
func (m *maker) log(w *bufio.Writer) error {
	if m.r.LogFolder == "" {
		return nil
	}
	names, err := filepath.Glob(filepath.Join(m.r.LogFolder, "*.log"))
	if err != nil || len(names) == 0 {
		return nil // No host has a log there.
	}
	slices.Sort(names)
	var lines []string
	for _, name := range names[max(0, len(names)-logFiles):] {
		lines = append(lines, m.logLines(name)...)
	}
	for _, line := range lines[max(0, len(lines)-logLines):] {
		if _, err := w.WriteString(line + "\n"); err != nil {
			return err
		}
	}
	return nil
}

// logLines returns the masked lines of the end of a log. A log that can't be read has none.
func (m *maker) logLines(name string) (out []string) {
	f, err := regularfile.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > logBytes {
		if _, err := f.Seek(-logBytes, io.SeekEnd); err != nil {
			return nil
		}
	}
	b, err := io.ReadAll(io.LimitReader(f, logBytes))
	if err != nil && !errors.Is(err, os.ErrClosed) {
		return nil
	}
	for line := range bytes.Lines(b) {
		if bytes.Contains(line, []byte("[lcm]")) {
			out = append(out, m.maskLine(string(bytes.TrimSpace(line))))
		}
	}
	return out
}

// maskLine returns a line of a log from its mark on, without names, paths, ids and quotations.
func (m *maker) maskLine(line string) string {
	when, rest, _ := strings.Cut(line, "[lcm]")
	rest, _, _ = strings.Cut(strings.ReplaceAll(rest, `\"`, "'"), `","`)
	rest = m.mask.scrubber.Scrub(rest)
	rest = quoted.ReplaceAllString(rest, `"…"`)
	rest = path.ReplaceAllString(rest, "(path)")
	rest = identifier.ReplaceAllStringFunc(rest, m.mask.row)
	return timeOf(when) + " [lcm]" + maskError(strings.TrimRight(rest, `"}] `))
}

var (
	// failure matches a word after which a line says what an error said.
	failure = lazyregexp.New(`(?i)\b(?:fail\w*|err\w*|refus\w*|reject\w*|abort\w*|exception|reason|cause|because|warn\w*)\b`)
	// plain matches what stays of that: numbers, names with numbers, replacements, words of the format.
	plain = lazyregexp.New(`(?i)^(?:[\w.-]*[=:]?-?\d+(?:\.\d+)?(?:ms|s|kb|mb|%)?|\(path\)|"…"|\[redacted.*|(?:summary|file|row|id)-\w+|` +
		`for|in|of|at|on|to|with|after|before|took|and|the|a|is|was|failed|error|timeout|timed|out|aborted|conversation|session|message|messages|` +
		`summary|summaries|tokens|model|pass|leaf|condensed|sweep|compaction|attempt|retry|status|code)[.,:;)]*$`)
)

// maskError returns a line without the words of an error: it may say what someone said.
func maskError(line string) string {
	at := failure.FindStringIndex(line)
	if at == nil {
		return line
	}
	out := line[:at[1]]
	hidden := false
	for _, word := range strings.Fields(line[at[1]:]) {
		isPlain := plain.MatchString(word)
		if isPlain {
			out += " " + word
		} else if !hidden {
			out += " …"
		}
		hidden = !isPlain
	}
	return out
}

// stamp matches the time with which a line of a log begins or that it names.
var stamp = lazyregexp.New(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d`)

func timeOf(s string) string { return stamp.FindString(s) }
