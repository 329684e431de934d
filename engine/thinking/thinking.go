package thinking

import (
	"strings"
	"unicode/utf8"

	"lcm-tui/data/jstext"
	"lcm-tui/internal/lazyregexp"
)

// Openings and Closings are how the tags begin and end. An opening may go on with
// attributes or with the rest of a longer name.
var (
	Openings = []string{"<think", "<reasoning"}
	Closings = []string{"</think>", "</thinking>", "</reasoning>"}
)

// HasTag reports whether a text holds an opening or a closing tag anywhere, in lower
// case.
func HasTag(text string) bool {
	for _, tags := range [][]string{Openings, Closings} {
		for _, tag := range tags {
			if strings.Contains(text, tag) {
				return true
			}
		}
	}
	return false
}

// tag is the pair of tags of one name.
type tag struct{ opening, closing *lazyregexp.Regexp }

const space = "[" + jstext.SpaceClass + "]"

// tags are the pairs around reasoning. White space may stand at the inner ends of a tag, and
// attributes in an opening one.
var tags = []tag{newTag("think"), newTag("thinking"), newTag("reasoning")}

func newTag(name string) tag {
	name = anyCase(name)
	return tag{
		lazyregexp.New(`^<` + space + `*` + name + `(?:` + space + `[^>]*)?>`),
		lazyregexp.New(`<` + space + `*/` + space + `*` + name + space + `*>`),
	}
}

// anyCase matches a word of ASCII in small and large letters. Go's flag for it also takes
// letters such as the sign of Kelvin, which JavaScript's doesn't.
func anyCase(word string) string {
	var b strings.Builder
	for _, r := range word {
		if lower, upper := strings.ToLower(string(r)), strings.ToUpper(string(r)); lower != upper {
			b.WriteString("[" + lower + upper + "]")
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Marks at the beginning of a line behind which all is reasoning: nothing closes them.
var (
	unclosed = lazyregexp.New(`^(?:<\|(?:` + anyCase("start_of_") + `)?` + names + `\|>|\[` + names + `\])`)
	headline = lazyregexp.New(`^(?:#{1,6}[ \t]*)?(?:` + strings.Join([]string{
		anyCase("thinking process"), anyCase("reasoning process"), anyCase("thought process"), anyCase("chain of thought"),
	}, "|") + `):`)
	names = `(?:` + anyCase("think") + `|` + anyCase("thinking") + `|` + anyCase("reasoning") + `)`
)

// TrimStart returns a text without the closed blocks at its start and the white space behind them.
func TrimStart(text string) string {
	for {
		rest := strings.TrimLeftFunc(text, jstext.IsSpace)
		_, end := blockAt(rest, nil)
		if end < 0 {
			return text
		}
		text = strings.TrimLeftFunc(rest[end:], jstext.IsSpace)
	}
}

// TrimStored returns a stored summary as another one is made of it: without the closed blocks at its
// start, those that fill whole lines, and all behind an opening at the start of a line that
// nothing closes. White space around it is removed.
func TrimStored(text string) string { return trim(text, false) }

// TrimAnswer returns a model's answer without its reasoning: what TrimStored removes, and all from a
// line on that begins with words such as "Thinking process:". found is whether there was any.
func TrimAnswer(text string) (rest string, found bool) {
	rest = trim(text, true)
	return rest, rest != jstext.Trim(text)
}

// trim removes reasoning; answer says that the text is that of a model's answer.
func trim(text string, answer bool) string {
	if !strings.ContainsAny(text, "<[") && !answer {
		return jstext.Trim(text)
	}
	text = cutUnclosed(removeLines(TrimStart(text)), answer)
	text = jstext.Trim(text)
	if opened, _ := blockAt(text, nil); opened >= 0 || isMark(text, answer) {
		return ""
	}
	return text
}

// blockAt returns the block with which a text begins, without white space before it: the end of its
// opening and of its closing tag, or -1. It ends with the first closing tag for which the end
// is allowed; nil allows any.
func blockAt(text string, allowed func(end int) bool) (opened, end int) {
	for _, t := range tags {
		at := t.opening.FindStringIndex(text)
		if at == nil {
			continue
		}
		for end := at[1]; ; {
			next := t.closing.FindStringIndex(text[end:])
			if next == nil {
				return at[1], -1
			}
			if end += next[1]; allowed == nil || allowed(end) {
				return at[1], end
			}
		}
	}
	return -1, -1
}

// removeLines removes the blocks that begin and end a line. Their line stays, empty.
func removeLines(text string) string {
	var b strings.Builder
	done := 0 // What is before it is written or removed.
	for at := 0; at < len(text); at = nextLine(text, at) {
		line := strings.TrimLeft(text[at:], blanks)
		_, end := blockAt(line, func(end int) bool { return endsLine(line[end:]) })
		if end < 0 {
			continue
		}
		b.WriteString(text[done:at])
		at = len(text) - len(strings.TrimLeft(line[end:], blanks))
		done = at
	}
	b.WriteString(text[done:])
	return b.String()
}

// cutUnclosed cuts a text where a line begins with an opening that nothing closes.
func cutUnclosed(text string, answer bool) string {
	for at := 0; at < len(text); at = nextLine(text, at) {
		line := strings.TrimLeft(text[at:], blanks)
		if opened, end := blockAt(line, nil); opened >= 0 && end < 0 || isMark(line, answer) {
			return text[:at]
		}
	}
	return text
}

// isMark reports whether a text begins with a mark that nothing closes.
func isMark(text string, answer bool) bool {
	return unclosed.MatchString(text) || answer && headline.MatchString(text)
}

const (
	blanks   = " \t"
	lineEnds = "\n\r\u2028\u2029" // Those of JavaScript.
)

// nextLine returns the start of the line behind the one at an index, or the end of the text.
func nextLine(text string, at int) int {
	end := strings.IndexAny(text[at:], lineEnds)
	if end < 0 {
		return len(text)
	}
	_, size := utf8.DecodeRuneInString(text[at+end:])
	return at + end + size
}

// endsLine reports whether only blanks stand at the start of a text before the end of its line.
func endsLine(text string) bool {
	text = strings.TrimLeft(text, blanks)
	return text == "" || strings.IndexAny(text, lineEnds) == 0
}
