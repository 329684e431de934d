package redact

import "strings"

const (
	// minLine is how much of a value stands on its first line at least, so that it is recognized.
	minLine = maxBegin
	// maxLines is over how many lines a value is looked for.
	maxLines = 6
	// minRest is how much of a value stands on each further line at least.
	minRest = 4
	// wrappedEntropy is what a random token of 30 characters has.
	wrappedEntropy = 3.5
)

// nextLine returns the place of the first character of the line behind a line end at i, behind its blanks,
// or i where no line ends there.
func nextLine(text string, i int) int {
	j := skipBytes(text, i, "\r", 1)
	if j == len(text) || text[j] != '\n' {
		return i
	}
	return skipBytes(text, j+1, " \t", 2*defaultWindow)
}

// isTokenByte reports whether a byte stands in tokens.
func isTokenByte(b byte) bool { return isWord(b) || b == '-' || b == '.' || b == '+' || b == '/' }

// endOfToken returns the place behind the bytes of a token.
func endOfToken(text string, i int) int {
	end := i
	for end < min(len(text), i+vendorWindow) && isTokenByte(text[end]) {
		end++
	}
	return end
}

// joinLines returns the view of a token that goes on on the next lines, from its start in the text; without
// text where it doesn't.
func joinLines(text string, start int) (v view) {
	end := endOfToken(text, start)
	if end-start < minLine || nextLine(text, end) == end {
		return view{}
	}
	var b strings.Builder
	b.WriteString(text[start:end])
	for removed := 0; len(v.cuts) < maxLines-1; {
		next := nextLine(text, end)
		last := endOfToken(text, next)
		if next == end || last-next < minRest {
			break
		}
		removed += next - end
		v.cuts = append(v.cuts, cut{b.Len(), removed})
		b.WriteString(text[next:last])
		end = last
	}
	if len(v.cuts) > 0 {
		v.text = b.String()
	}
	return v
}

// matchWrapped finds a token that is divided between lines, as a terminal wraps it. A prefix that begins
// nothing else stands on the first line, and each line looks random.
func (r *Rule) matchWrapped(text string, start, end int, found func(from, to int)) {
	if !isSpecific(text[start:end]) {
		return
	}
	v := joinLines(text, start)
	if v.text == "" {
		return
	}
	m := r.compiled().FindStringIndex(v.text)
	if m == nil || m[1] <= v.cuts[0].at || goesOn(v.text, m[1]) || entropy(v.text[:m[1]]) < wrappedEntropy {
		return
	}
	from := end - start
	for _, c := range v.cuts {
		if !hasDigitAndLetter(v.text[from:min(c.at, m[1])]) {
			return
		}
		if from = c.at; from >= m[1] {
			break
		}
	}
	if from < m[1] && !hasDigitAndLetter(v.text[from:m[1]]) {
		return
	}
	_, to := v.span(0, m[1])
	found(start, start+to)
}

// wrappedLen returns the length of a value in a text that begins with it, also where the value is divided between lines; 0
// where the text begins with something else.
func wrappedLen(text, value string) int {
	if strings.HasPrefix(text, value) {
		return len(value)
	}
	at, lines := 0, 1
	for i := 0; i < len(value); {
		if at < len(text) && text[at] == value[i] {
			at++
			i++
			continue
		}
		next := nextLine(text, at)
		if next == at || i < minLine || lines == maxLines {
			return 0
		}
		at = next
		lines++
	}
	return at
}
