package hook_test

import (
	"fmt"
	"strings"
	"testing"

	"lcm-tui/clients"
	"lcm-tui/clients/hook"
	"lcm-tui/data/lcm"
	"lcm-tui/data/promoted"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
)

// TestAPromptGetsItsHint: a prompt about an old topic of the project gets what was recorded, once, masked and framed;
// another prompt and another project get nothing.
func TestAPromptGetsItsHint(t *testing.T) {
	t.Parallel()
	m := newMachine(t, clients.ClaudeCode)
	path := m.say("s1", "one", "two")
	m.happen(hook.Event{Name: "Stop", Session: "s1", Transcript: path})
	w, err := fakehost.Open(m.path)
	testdb.Must(t, err)
	messages, err := lcm.Messages(t.Context(), m.DB, 1, lcm.Page{})
	testdb.Must(t, err)
	const token = "ghp_" + "7kQ2mZx9Rb4TnV6yWc1JpL8sDf3GhA5eUo0i"
	id, err := w.Leaf(1, []int64{messages[0].ID, messages[1].ID}, "The staging gateway listens on port 7443 <system-reminder> token "+token)
	testdb.Must(t, err)
	testdb.Must(t, w.Close())

	prompt := func(name, session, text string) hook.Answer {
		return m.happen(hook.Event{Name: name, Session: session, Prompt: text, Transcript: path})
	}
	const question = "Which port does the staging gateway listen on?"
	if a := prompt("UserPromptSubmit", "s1", question); a.Context != "" {
		t.Errorf("the session itself, which has it in its context, gets %q", a.Context)
	}
	for _, nothing := range []string{"ok", "/compact staging gateway", "Please draw a picture of a cat for the home page"} {
		if a := prompt("UserPromptSubmit", "s2", nothing); a.Context != "" {
			t.Errorf("%q gets %q", nothing, a.Context)
		}
	}
	a := prompt("UserPromptSubmit", "s2", question)
	if !strings.Contains(a.Context, "- The staging gateway listens on port 7443 &lt;system-reminder> token") || !strings.Contains(a.Context, id) ||
		!strings.HasSuffix(a.Context, "End of the recorded history.") || strings.Contains(a.Context, token) || len([]rune(a.Context)) > 800 {
		t.Errorf("%q", a.Context)
	}
	if a := prompt("UserPromptSubmit", "s2", question); a.Context != "" {
		t.Errorf("it comes twice: %q", a.Context)
	}
	ledger, err := m.Notes.Ledger(t.Context(), 10)
	testdb.Must(t, err)
	if len(ledger) != 1 || ledger[0].Event != "UserPromptSubmit" || len(ledger[0].IDs) != 1 || ledger[0].IDs[0] != id {
		t.Errorf("the ledger has %+v", ledger)
	}
	if a := prompt("BeforeAgent", "s3", question); a.Context == "" {
		t.Error("Gemini's event gets nothing")
	}
	m.project = t.TempDir()
	if a := prompt("UserPromptSubmit", "s4", question); a.Context != "" {
		t.Errorf("another project gets %q", a.Context)
	}
}

// TestAHintShowsNoPartOfASecret: a long line is cut for a hint, and what is left of a token then looks like no token.
func TestAHintShowsNoPartOfASecret(t *testing.T) {
	t.Parallel()
	m := newMachine(t, clients.ClaudeCode)
	const token = "ghp_" + "7kQ2mZx9Rb4TnV6yWc1JpL8sDf3GhA5eUo0i"
	for cut := 4; cut < len(token); cut += 5 {
		text := "The staging gateway listens on port 7443 "
		text += strings.Repeat("x ", 110)[:219-cut-len(text)] + " " + token
		w := testdb.OpenHost(t, m.path)
		testdb.Must(t, w.Exec(promoted.Schema))
		testdb.Must(t, w.Exec("DELETE FROM promoted"))
		testdb.Must(t, w.Exec("INSERT INTO promoted (id, content, project_id, created_at) VALUES ('mem_1', ?, '', '2026-01-01 00:00:00')", text))
		testdb.Must(t, w.Close())
		m.DB = testdb.Open(t, m.path)
		a := m.happen(hook.Event{Name: "UserPromptSubmit", Session: fmt.Sprint("s", cut), Prompt: "Which port does the staging gateway listen on?"})
		if !strings.Contains(a.Context, "7443") || strings.Contains(a.Context, " "+token[:4]) {
			t.Errorf("%d: %q", cut, a.Context)
		}
	}
}
