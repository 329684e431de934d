package jsregexp_test

import (
	"encoding/json"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/engine/jsregexp"
	"lcm-tui/internal/testlength"
)

// nodeAnswers are patterns and what Node finds with them in texts.
type nodeAnswers struct {
	Texts []string
	Cases []struct {
		Pattern string  `json:"p"`
		Error   string  `json:"e"`
		Found   [][]any `json:"r"` // The number of the text, then place and text of at most four matches.
	}
}

func readAnswers(t *testing.T) (a nodeAnswers) {
	t.Helper()
	file := "testdata/node.json"
	if other := os.Getenv("NODE_ANSWERS"); other != "" {
		file = other
	}
	b, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(b, &a)
	}
	if err != nil || len(a.Texts) == 0 || len(a.Cases) == 0 {
		t.Fatal(err, len(a.Texts), len(a.Cases))
	}
	return a
}

var testTimeout = map[bool]time.Duration{true: 5 * time.Millisecond, false: time.Second}[os.Getenv("NODE_ANSWERS") != ""]

// TestNode holds every answer against Node's: syntax errors, and place and text of the matches.
func TestNode(t *testing.T) {
	t.Parallel()
	answers := readAnswers(t)
	for _, c := range testlength.Some(answers.Cases) {
		re, err := jsregexp.Compile(c.Pattern, testTimeout)
		if (err != nil) != (c.Error != "") {
			t.Errorf("/%s/: error %v, want %q", c.Pattern, err, c.Error)
			continue
		}
		if err != nil {
			continue
		}
		found := map[int][]any{}
		for _, row := range c.Found {
			found[int(row[0].(float64))] = row[1:]
		}
		for i, text := range answers.Texts {
			checkMatches(t, re, c.Pattern, text, found[i])
		}
	}
}

func checkMatches(t *testing.T, re *jsregexp.Regexp, pattern, text string, want []any) {
	t.Helper()
	matches, err := re.FindAll(text, 4)
	if err != nil {
		if os.Getenv("NODE_ANSWERS") == "" {
			t.Errorf("/%s/ in %q: %v", pattern, text, err)
		}
		return
	}
	var got []any
	for _, m := range matches {
		got = append(got, float64(m.Start), m.Text)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("/%s/ in %q: (-Node +ours)\n%s", pattern, text, diff)
	}
	first, ok, err := re.Find(text)
	if err != nil || ok != (len(want) > 0) || ok && first != want[1] {
		t.Errorf("/%s/ in %q: first %q, %v, %v, want %v", pattern, text, first, ok, err, want)
	}
}
