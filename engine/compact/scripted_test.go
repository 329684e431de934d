package compact_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"lcm-tui/engine/compact"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// scriptedAnswer returns what a model of the fixtures answers to a request that its script names.
func scriptedAnswer(act string, q summarize.Request) (text string, ok bool, err error) {
	units := len(utf16.Encode([]rune(q.Source)))
	sum := sha256.Sum256([]byte(q.Source))
	switch act {
	case "auth":
		return "", true, fmt.Errorf("401: %w", summarize.ErrAuth)
	case "empty", "blank", "think only": // Providers take an answer without text for one that isn't complete.
		return "", true, fmt.Errorf("no text: %w", summarize.ErrIncomplete)
	case "echo":
		return q.Source, true, nil
	case "longer":
		return q.Source + "\n\n" + q.Source, true, nil
	case "longer words":
		return "Other words " + strings.Repeat("quite new ", (units+7)/8), true, nil
	case "nearly as long":
		return "Some words " + strings.Repeat("quite new ", units/14), true, nil
	case "think":
		return fmt.Sprintf("<think>%x</think>\n%s", sum, rule(q)), true, nil
	case "marker":
		return rule(q) + "\n[Truncated from 90 tokens]", true, nil
	}
	return "", false, nil
}

// TestOddConversationsAsTheReference: with models that answer nothing, too much, their source or an
// error, the calls, the summaries, their links and the context are the reference engine's. Of a run
// that fails the calls are compared.
func TestOddConversationsAsTheReference(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, path := range testdb.FixtureFiles(t, filepath.Join("wild", "compaction", "*-*", "result.json")) {
		folder := filepath.Dir(path)
		name := filepath.Base(folder)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := &hardRun{}
			g.read(t, folder)
			read(t, path, &g.order)
			var script struct {
				Script map[string]string
				Calls  int
			}
			read(t, path, &script)
			g.whole, g.Calls, g.Summaries = true, script.Calls, len(g.Rows)
			base, _, _ := strings.Cut(name, "-")
			g.before = filepath.Join(filepath.Dir(filepath.Dir(folder)), base+".db")
			g.runScripted(t, script.Script)
		})
	}
}

// runScripted makes the run again and compares it.
func (r *hardRun) runScripted(t *testing.T, script map[string]string) {
	t.Helper()
	request, m, path := r.request(t), &recorder{name: "test/rule"}, copied(t, r.before)
	m.script = func(n int) (string, bool, error) {
		return scriptedAnswer(script[strconv.Itoa(n)], m.calls[n-1])
	}
	var made []compact.NewSummary
	var o compact.Outcome
	failed := false
	for range max(r.Times, 1) {
		var err error
		o, err = compact.Run(t.Context(), open(t, path), r.Conversation, request, m, noReport)
		if err != nil && !errors.Is(err, summarize.ErrAuth) {
			t.Fatal(err)
		}
		failed = failed || err != nil
		made = append(made, o.New...)
		if r.Times > 1 {
			apply(t, path, o)
		}
	}
	r.checkCalls(t, m.calls)
	if !failed {
		r.checkRows(t, made, o.Context)
	}
}
