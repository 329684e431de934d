package cli

import "testing"

func TestNearest(t *testing.T) {
	t.Parallel()
	known := []string{"conversations", "messages", "summaries", "context", "undo", "info"}
	for word, want := range map[string]string{
		"convesations": "conversations",
		"Messages":     "messages",
		"mesages":      "messages",
		"sum":          "summaries",
		"udno":         "undo",
		"contxet":      "context",
		"inf":          "info",
		"xyzzy":        "",
		"":             "",
		"q":            "",
	} {
		if got, _ := suggestion(word, known); got != want {
			t.Errorf("nearest(%q) = %q, want %q", word, got, want)
		}
	}
}
