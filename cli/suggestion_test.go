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

func TestDistance(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"a", "", 1}, {"", "ab", 2}, {"ab", "ba", 1}, {"kitten", "sitting", 3}} {
		if got := editDistance(c.a, c.b); got != c.want {
			t.Errorf("distance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
