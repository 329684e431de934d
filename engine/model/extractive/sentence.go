package extractive

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"lcm-tui/internal/lazyregexp"
)

// sentence is a piece of the source that stands or falls as a whole.
type sentence struct {
	text   string
	head   int // Of the block it's in, or -1.
	terms  []term
	norm   float64
	signal float64
	vital  bool // A decision or an error.
	worth  float64
}

// head is the line before a message or a summary: "[2026-01-02 15:04 UTC | user]"
// or "[2026-01-02 15:04 UTC - 2026-01-02 16:10 UTC]".
var head = lazyregexp.New(`^\[(\d{4}-\d\d-\d\d \d\d:\d\d[^|\]]*)(?:\|\s*([\w-]+)[^\n]*)?\]$`)

// footers are lines at the end of summaries and of fallbacks, which are not sentences.
var footers = lazyregexp.New(`(?i)^(?:Expand for details about:|\[Truncated from |\[Truncated for |\[LCM fallback summary|\[Capped)`)

var bullet = lazyregexp.New(`^(?:[-*•+]|\d{1,3}[.)])\s+`)

// instructions are sentences that tell a model to forget its own. A summary is read by
// one, so they are left out.
var instructions = lazyregexp.New(`(?i)\b(?:ignore|disregard|forget)\b.{0,30}\b(?:previous|prior|above|earlier|all)\b.{0,30}\b(?:instructions?|prompts?|rules?|messages?)\b|\byou are now\b|\bnew system prompt\b|</?system>`)

// longestSentence is where a sentence is cut into several, in code points.
const longestSentence = 320

// split cuts a text into sentences. Lines are always apart; within a fence of
// code a line is one sentence.
func (d *document) split(text string) {
	at, code := -1, false
	for line := range strings.Lines(text) {
		line = joinWords(printable(line))
		switch m := head.FindStringSubmatch(line); {
		case line == "":
		case m != nil:
			d.heads = append(d.heads, joinWords(m[1]+" "+m[2]))
			at = len(d.heads) - 1
		case strings.HasPrefix(line, "```"):
			code = !code
		case strings.HasPrefix(line, "Files:"):
			d.mention(line)
		case footers.MatchString(line):
		default:
			d.add(line, at, code)
		}
	}
}

func (d *document) add(line string, at int, code bool) {
	line = bullet.ReplaceAllString(line, "")
	pieces := []string{line}
	if !code {
		pieces = sentences(line)
	}
	for _, p := range pieces {
		for _, s := range splitLong(p) {
			if instructions.MatchString(s) {
				continue
			}
			d.mention(s)
			next := &sentence{text: s, head: at}
			next.signal, next.vital = signal(s)
			d.sentences = append(d.sentences, next)
		}
	}
}

// joinWords puts a text on one line, with single spaces.
func joinWords(s string) string { return strings.Join(strings.Fields(s), " ") }

// printable takes out what steers a terminal and what is no text.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t', r == '\n':
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), r == utf8.RuneError:
			return -1
		}
		return r
	}, s)
}

// sentences splits prose. A dot ends one only before white space and something
// that can begin the next, so that main.go, v1.2 and e.g. stay whole; the marks of
// Chinese and Japanese always do.
func sentences(line string) (out []string) {
	runes := []rune(line)
	begin := 0
	for i := 0; i < len(runes); i++ {
		if !strings.ContainsRune(".!?。！？；", runes[i]) {
			continue
		}
		end := i + 1
		for end < len(runes) && strings.ContainsRune(".!?。！？；\"'”’)]」』）", runes[end]) {
			end++
		}
		if runes[i] < utf8.RuneSelf && !isSentenceEnd(runes, begin, i, end) {
			i = end - 1
			continue
		}
		if s := strings.TrimSpace(string(runes[begin:end])); s != "" {
			out = append(out, s)
		}
		begin, i = end, end-1
	}
	if s := strings.TrimSpace(string(runes[begin:])); s != "" {
		out = append(out, s)
	}
	return out
}

// isSentenceEnd reports whether the mark at i, with what follows it up to end, is the end
// of a sentence that began at begin.
func isSentenceEnd(runes []rune, begin, i, end int) bool {
	if end >= len(runes) {
		return true
	}
	if !unicode.IsSpace(runes[end]) {
		return false
	}
	if end+1 < len(runes) && unicode.IsLower(runes[end+1]) {
		return false
	}
	return runes[i] != '.' || !short.MatchString(string(runes[max(begin, i-longestShort):i]))
}

// short matches an abbreviation before its dot, which has no more than
// longestShort characters with what is before it.
var short = lazyregexp.New(`(?i)(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|ca|approx|resp|incl|fig|no|mr|mrs|dr|prof|st|[A-Z])$`)

const longestShort = 8

// splitLong cuts what is too long for a sentence, at white space where there is some.
func splitLong(s string) (out []string) {
	for utf8.RuneCountInString(s) > longestSentence {
		end, n := 0, 0
		space := -1
		for i, r := range s {
			if n == longestSentence {
				end = i
				break
			}
			if r == ' ' || r == '，' || r == '、' {
				space = i + utf8.RuneLen(r)
			}
			n++
		}
		if space > end/2 {
			end = space
		}
		if head := strings.TrimSpace(s[:end]); head != "" {
			out = append(out, head)
		}
		s = strings.TrimSpace(s[end:])
	}
	if s != "" {
		out = append(out, s)
	}
	return out
}
