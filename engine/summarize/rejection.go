package summarize

import (
	"fmt"
	"strings"
)

// rejection says why a text can't replace the job's source; it is empty where it can. A text
// that quotes may repeat a part of the source.
func (j Job) rejection(text string, quotes bool) string {
	got, had := j.Estimator.Count(text), j.Estimator.Count(j.Source)
	switch {
	case !quotes && SharedPart(text, j.Source) >= 0.5:
		return "its answer repeats the source"
	case got >= had:
		return fmt.Sprintf("its answer has %d tokens, which is not less than the %d of the source", got, had)
	case Detect(text, "") != None || hasCappedMark(text):
		return "its answer ends in the mark of a summary that no model made"
	}
	return ""
}

// SharedPart is the share of the source that a text repeats word by word: 1 where it contains
// the whole source, 0 where it is no part of it.
func SharedPart(text, source string) float64 {
	text, source = strings.Join(strings.Fields(text), " "), strings.Join(strings.Fields(source), " ")
	switch {
	case strings.Contains(text, source):
		return 1
	case strings.Contains(source, text):
		return float64(len(text)) / float64(len(source))
	}
	return 0
}

// hasCappedMark reports whether the last line says that the text was cut.
func hasCappedMark(text string) bool {
	last := text[strings.LastIndexByte(text, '\n')+1:]
	return strings.HasPrefix(last, cappedMark) && strings.HasSuffix(last, "]")
}
