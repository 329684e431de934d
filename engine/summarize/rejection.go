package summarize

import (
	"fmt"
	"strings"
)

// rejection says why a text can't replace the job's source; it is empty where it can. The
// reference engine has no objection to one that ends in a marker. Here it is refused on purpose:
// it would be taken for a summary that no model made.
func (j Job) rejection(text string) string {
	got, had := j.Estimator.Count(text), j.Estimator.Count(j.Source)
	switch {
	case text == "":
		return "its answer was empty"
	case got >= had:
		return fmt.Sprintf("its answer has %d tokens, which is not less than the %d of the source", got, had)
	case Detect(text, "") != None || hasCappedMark(text):
		return "its answer ends in the mark of a summary that no model made"
	}
	return ""
}

// hasCappedMark reports whether the last line says that the text was cut.
func hasCappedMark(text string) bool {
	last := text[strings.LastIndexByte(text, '\n')+1:]
	return strings.HasPrefix(last, cappedMark) && strings.HasSuffix(last, "]")
}
