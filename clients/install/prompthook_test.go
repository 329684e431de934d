package install_test

import (
	"errors"
	"maps"
	"strings"
	"testing"

	"lcm-tui/clients/install"
)

// TestHintsAreWrittenWhereTheyAreAskedFor: the event of prompts comes and goes as the user says, stays otherwise, and
// a removal leaves nothing of it.
func TestHintsAreWrittenWhereTheyAreAskedFor(t *testing.T) {
	t.Parallel()
	for client, event := range map[string]string{"claude-code": "UserPromptSubmit", "codex": "UserPromptSubmit", "gemini": "BeforeAgent"} {
		t.Run(client, func(t *testing.T) {
			t.Parallel()
			e := withReceipts(t)
			before := tree(t, e.Home)
			s := setup(t, client, install.ScopeUser)
			s.Parts = []install.Part{install.PartHooks}
			apply := func(hints *bool, want bool) {
				t.Helper()
				s.Hints = hints
				steps, err := s.Install(e)
				if !errors.Is(err, install.ErrNothing) {
					applySteps(t, steps, err)
				}
				has := 0
				for _, text := range tree(t, e.Home) {
					has += strings.Count(text, event)
				}
				if got := has == 1; got != want || has > 1 {
					t.Errorf("the event stands %d times in the files, hints: %v", has, want)
				}
			}
			yes, no := true, false
			apply(nil, false)
			apply(&yes, true)
			apply(nil, true)
			apply(&no, false)
			apply(&yes, true)
			steps, err := s.Uninstall(e)
			applySteps(t, steps, err)
			if after := tree(t, e.Home); !maps.Equal(before, after) {
				t.Errorf("a removal leaves %v", after)
			}
		})
	}
}

// TestHooksOfAnotherProgramAreNoHints: what another program of this kind ran at prompts is replaced by nothing.
func TestHooksOfAnotherProgramAreNoHints(t *testing.T) {
	t.Parallel()
	h := newHome(t, "claude-code")
	write(t, h.hooks, `{"hooks": {"UserPromptSubmit": [{"hooks": [{"type": "command", "command": "lcm user-prompt"}]}]}}`)
	h.fix(t)
	if text := read(t, h.hooks); strings.Contains(text, "UserPromptSubmit") {
		t.Errorf("%s", text)
	}
}
