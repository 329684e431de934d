package cli_test

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"testing"

	"lcm-tui/internal/fakehost"
)

// TestTheFreshTailOfAContextIsTheHosts: under a token limit a message counts as the host counts it when it
// chooses what to compact: by an estimate where no tokens are stored, and with the name of who sent it.
func TestTheFreshTailOfAContextIsTheHosts(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lcm.db")
	h, err := fakehost.Create(path, fakehost.Head)
	if err != nil {
		t.Fatal(err)
	}
	conv, err := h.Conversation(fakehost.Conversation{Active: true})
	for _, role := range []string{"user", "assistant", "user", "user"} {
		_, messageErr := h.Message(conv, fakehost.Message{Role: role, Content: "sixteen letters.", Tokens: 4})
		err = errors.Join(err, messageErr)
	}
	err = errors.Join(err, h.Exec(`UPDATE messages SET token_count = 0 WHERE seq = 2`),
		h.Exec(`UPDATE messages SET openclaw_sender_metadata = '{"senderId":"22"}' WHERE seq = 3`), h.Close())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		limit string
		want  int64
	}{
		{"8", 3},  // The sender's name takes 12 beside the text's 4.
		{"20", 2}, // 4 + 4 + 12.
		{"23", 2}, // The answer's 16 letters are 4.
		{"24", 1},
		{"28", 0},
	} {
		_, out, errs := mainOn(t, path, "context", "1", "--fresh-tail-max-tokens", c.limit, "--json")
		var got struct {
			From *int64 `json:"fresh_tail_ordinal"`
		}
		if err := json.Unmarshal([]byte(out), &got); err != nil || got.From == nil || *got.From != c.want {
			t.Errorf("of %s tokens: %s%s, want one from %d (%v)", c.limit, out, errs, c.want, err)
		}
	}
}
