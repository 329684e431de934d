package install_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// anyHas reports whether a text stands in one of the requests.
func anyHas(requests []string, text string) bool {
	return strings.Contains(strings.Join(requests, "\n"), text)
}

// remembers runs two sessions of a client whose hooks are installed: what the first was told is in the first
// request of the second. Then it breaks the database, and the turn is as without hooks.
func (m *machine) remembers(model *fakeModel, ask func(prompt string)) {
	t := m.t
	t.Helper()
	const fact = "the gateway listens on port 7443"
	ask("Note that " + fact + ".")
	second := len(model.requests(0))
	ask("Which port was it?")
	if !anyHas(model.requests(second), fact) {
		log, _ := m.run(m.program, "hook", "log")
		notes := read(t, filepath.Join(m.home, ".local", "state", "lcm-tui", "hook.log"))
		t.Errorf("the second session doesn't know it:\n%s\n%s", log, notes)
	}
	third := len(model.requests(0))
	write(t, filepath.Join(m.home, ".local", "share", "lcm-tui", "lcm.db"), "no database")
	ask("And with a broken memory?")
	if len(model.requests(third)) == 0 || anyHas(model.requests(third), fact) {
		t.Error("with a broken database the turn isn't as without hooks")
	}
}

// TestClaudeCodeRemembers: with our hooks a session knows what the one before it was told.
func TestClaudeCodeRemembers(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.run(m.program, "install", "claude-code", "--what", "hooks", "--apply")
	model := &fakeModel{}
	m.variables = append(m.variables, "ANTHROPIC_BASE_URL="+model.serveMessages(t), "ANTHROPIC_API_KEY=none")
	m.remembers(model, func(prompt string) { m.run("claude", "-p", prompt, "--model", "claude-sonnet-4-5") })
}

// TestClaudeCodeHasSummariesAfterItsCompaction: after /compact the next request holds the summaries that we made of
// the session.
func TestClaudeCodeHasSummariesAfterItsCompaction(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.run(m.program, "install", "claude-code", "--what", "hooks", "--apply")
	model := &fakeModel{}
	m.variables = append(m.variables, "ANTHROPIC_BASE_URL="+model.serveMessages(t), "ANTHROPIC_API_KEY=none")
	const fact = "The gateway listens on port 7443 since the proxy moved."
	for i := range 12 {
		args := []string{"-p", fmt.Sprintf("Step %d. %s %s", i, fact, strings.Repeat("Read the log of the gateway and note what is odd. ", 200)), "--model", "claude-sonnet-4-5"}
		if i > 0 {
			args = append(args, "--continue")
		}
		m.run("claude", args...)
	}
	m.run("claude", "-p", "/compact", "--continue", "--model", "claude-sonnet-4-5")
	next := len(model.requests(0))
	m.run("claude", "-p", "What now?", "--continue", "--model", "claude-sonnet-4-5")
	if !anyHas(model.requests(next), "Summaries of this session that lcm-tui made of its messages") || !anyHas(model.requests(next), "port 7443") {
		log, _ := m.run(m.program, "hook", "log")
		jobs, _ := m.run(m.program, "work")
		t.Errorf("the next request doesn't hold our summaries:\n%s\n%s\n%s", log, jobs, read(t, filepath.Join(m.home, ".local", "state", "lcm-tui", "hook.log")))
	}
}

// TestAPromptOfClaudeCodeGetsAHint: what a session said that is no longer among the last ones comes with a prompt about
// it, where hints are on.
func TestAPromptOfClaudeCodeGetsAHint(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	write(t, filepath.Join(m.home, ".config", "lcm-tui", "config.toml"), "[work]\nenabled = false\n")
	m.run(m.program, "install", "claude-code", "--what", "hooks", "--hints", "--apply")
	model := &fakeModel{}
	m.variables = append(m.variables, "ANTHROPIC_BASE_URL="+model.serveMessages(t), "ANTHROPIC_API_KEY=none")
	ask := func(prompt string, args ...string) {
		m.run("claude", append([]string{"-p", prompt, "--model", "claude-sonnet-4-5"}, args...)...)
	}
	ask("The staging gateway listens on port 7443 since the proxy moved.")
	for range 8 {
		ask("Read the log and note what is odd.", "--continue")
	}
	m.run(m.program, "compact", "1", "--force", "--set", "freshTailCount=1", "--provider", "extractive", "--apply")
	for _, other := range []string{"Draw a cat.", "Count to ten.", "Write a poem."} {
		ask(other)
	}
	next := len(model.requests(0))
	ask("Which port does the staging gateway listen on?")
	if log, _ := m.run(m.program, "hook", "log"); !anyHas(model.requests(next), "listens on port 7443") || strings.Count(log, "UserPromptSubmit") != 2 {
		t.Errorf("the prompt got no hint, or another one got one:\n%s\n%s", log, read(t, filepath.Join(m.home, ".local", "state", "lcm-tui", "hook.log")))
	}
}

// TestCodexRemembers: with our hooks a session knows what the one before it was told.
func TestCodexRemembers(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	model := &fakeModel{}
	write(t, filepath.Join(m.home, ".codex", "config.toml"), fmt.Sprintf(`model = "fake"
model_provider = "fake"
approval_policy = "never"

[model_providers.fake]
name = "fake"
base_url = "%s/v1"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
`, model.serveResponses(t)))
	m.run(m.program, "install", "codex", "--what", "hooks", "--apply")
	m.remembers(model, func(prompt string) {
		m.run("codex", "exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", prompt)
	})
}

// TestGeminiRemembers: with our hooks a session knows what the one before it was told.
func TestGeminiRemembers(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	model := &fakeModel{}
	write(t, filepath.Join(m.home, ".gemini", "settings.json"), `{"security":{"auth":{"selectedType":"gemini-api-key"}}}`)
	m.run(m.program, "install", "gemini", "--what", "hooks", "--apply")
	m.variables = append(m.variables, "GOOGLE_GEMINI_BASE_URL="+model.serveGemini(t), "GEMINI_API_KEY=none")
	m.remembers(model, func(prompt string) { m.run("gemini", "-p", prompt, "-m", "gemini-2.5-pro", "--skip-trust") })
}
