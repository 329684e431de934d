package summarize

import (
	"fmt"
	"strings"
)

// fault says why a text can't stand for the job's source, or is empty. One that quotes
// the source may be a part of it.
func (j Job) fault(text string, quotes bool) string {
	got, had := j.Estimator.Count(text), j.Estimator.Count(j.Source)
	switch {
	case !quotes && echoes(text, j.Source):
		return "its answer repeats the source"
	case got >= had:
		return fmt.Sprintf("its answer has %d tokens, which is not less than the %d of the source", got, had)
	case Detect(text, "") != None || cutMark(text):
		return "its answer ends in the mark of a summary that no model made"
	}
	return ""
}

// echoes reports whether a text is the source, or a great part of it, word by
// word.
func echoes(text, source string) bool {
	text, source = strings.Join(strings.Fields(text), " "), strings.Join(strings.Fields(source), " ")
	return strings.Contains(text, source) || 2*len(text) >= len(source) && strings.Contains(source, text)
}

// cutMark reports whether the last line says that the text was cut.
func cutMark(text string) bool {
	last := text[strings.LastIndexByte(text, '\n')+1:]
	return strings.HasPrefix(last, cappedMark) && strings.HasSuffix(last, "]")
}
