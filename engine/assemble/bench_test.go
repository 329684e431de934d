package assemble_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/engine/assemble"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
)

// long writes a file whose first conversation has n items in its context: turns of
// a user's message, a call of a tool, its result and an answer.
func long(path string, n int) error {
	h, err := fakehost.Create(path, fakehost.Head)
	if err != nil {
		return err
	}
	body := strings.Repeat("The nightly job overlaps with the backups. ", 19)
	err = h.Tx(func(h *fakehost.Writer) error {
		conv, err := h.Conversation(fakehost.Conversation{Active: true})
		for i := 0; err == nil && i < n; i++ {
			call := fmt.Sprintf("call_%020d", i/4)
			tool := fakehost.Part{ToolCallID: call, ToolName: "exec", Type: "tool", ToolInput: `{"command":"date"}`}
			m := []fakehost.Message{
				{Role: "user", Content: body},
				{Role: "assistant", Parts: []fakehost.Part{{Type: "reasoning", Text: "Let me look."}, tool}},
				{Role: "tool", Content: body, Parts: []fakehost.Part{{Type: "text", Text: body, ToolCallID: call, ToolName: "exec"}}},
				{Role: "assistant", Content: body, Parts: []fakehost.Part{{Type: "text", Text: body}}},
			}[i%4]
			_, err = h.Message(conv, m)
		}
		return err
	})
	return errors.Join(err, h.Close())
}

// big returns the file of a context of 12,000 items; LCM_LONG_DB names where to keep it.
func big(b *testing.B) *data.DB {
	b.Helper()
	path := os.Getenv("LCM_LONG_DB")
	if path == "" {
		path = filepath.Join(b.TempDir(), "lcm.db")
	}
	if _, err := os.Stat(path); err != nil {
		if err := long(path, 12_000); err != nil {
			b.Fatal(err)
		}
	}
	return testdb.Open(b, path)
}

func BenchmarkAssemble(b *testing.B) {
	db := big(b)
	for name, o := range map[string]assemble.Options{
		"default":      {Budget: assemble.DefaultBudget, Tail: assemble.Tail{Count: assemble.DefaultFreshTail}},
		"everything":   {Budget: 1_000_000_000, Tail: assemble.Tail{Count: assemble.DefaultFreshTail}},
		"prompt-aware": {Budget: 20_000, Tail: assemble.Tail{Count: 8}, PromptAware: true, Prompt: "backups of the nightly job"},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				r, err := assemble.Assemble(b.Context(), db, 1, o)
				if err != nil || len(r.Messages) == 0 {
					b.Fatal(len(r.Messages), err)
				}
			}
		})
	}
}
