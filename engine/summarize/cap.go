package summarize

import "fmt"

const cappedMark = "[Capped"

// capText cuts a text at the job's limit and says so on its last line, in as many
// words as there is room for.
func (j Job) capText(text string) (short string, cut bool) {
	limit, tokens := j.limit(), j.Estimator.Count(text)
	if limit <= 0 || tokens <= limit {
		return text, false
	}
	notes := []string{
		fmt.Sprintf("\n[Capped from %d tokens to ~%d]", tokens, limit),
		fmt.Sprintf("\n[Capped to ~%d]", limit),
		"\n[Capped]",
	}
	for _, note := range notes {
		if room := limit - j.Estimator.Count(note); room > 0 {
			return j.Estimator.Truncate(text, room) + note, true
		}
	}
	return j.Estimator.Truncate(text, limit), true
}
