package install_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lcm-tui/clients/install"
	"lcm-tui/internal/testlength"
)

// TestConnectorsAreReversed: each of the 22 agents gets each of its parts in a project that has files of the same
// names, nothing of these is overwritten, and all is as it was after the removal.
func TestConnectorsAreReversed(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	if n := len(install.Connectors()); n != 22 {
		t.Errorf("%d agents", n)
	}
	for _, c := range install.Connectors() {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			if len(c.Parts()) == 0 {
				t.Fatal("nothing can be written")
			}
			for _, part := range c.Parts() {
				e := withReceipts(t)
				s := install.Setup{Request: install.Request{Client: c.Client(), Scope: install.ScopeProject, Server: ours}, Parts: []install.Part{part}, Hook: ours}
				s.Hook.Args = []string{"hook", c.Name}
				steps, err := s.Install(e)
				if err != nil {
					t.Fatal(err)
				}
				first := steps.Changes[0]
				if part == install.PartRules {
					write(t, first.Path, "mine\r\nwithout an end")
				}
				before := tree(t, e.WorkDir)
				steps, err = s.Install(e)
				applySteps(t, steps, err)
				if part == install.PartRules && !strings.HasPrefix(read(t, first.Path), "mine\r\nwithout an end\r\n\r\n<!-- lcm-tui: rules begin -->\r\n") {
					t.Errorf("%s: %q", first.Path, read(t, first.Path))
				}
				if rel, err := filepath.Rel(e.WorkDir, first.Path); err != nil || !filepath.IsLocal(rel) {
					t.Errorf("%s lies outside of the project", first.Path)
				}
				if got := c.Installed(e); !slices.Equal(got, []install.Part{part}) {
					t.Errorf("installed: %q, not %q", got, part)
				}
				steps, err = s.Uninstall(e)
				applySteps(t, steps, err)
				if after := tree(t, e.WorkDir); !maps.Equal(before, after) {
					t.Errorf("%s:\n%q\nbecame\n%q", part, before, after)
				}
			}
		})
	}
}

// TestRulesThatAreCut: where a line around our rules is missing, or there twice, nothing is written.
func TestRulesThatAreCut(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"<!-- lcm-tui: rules begin -->\n", "<!-- lcm-tui: rules end -->\n", "<!-- lcm-tui: rules end -->\n<!-- lcm-tui: rules begin -->\n"} {
		e := withReceipts(t)
		s := setup(t, "codex", install.ScopeProject)
		s.Parts = []install.Part{install.PartRules}
		write(t, filepath.Join(e.WorkDir, "AGENTS.md"), text)
		if _, err := s.Install(e); err == nil || !strings.Contains(err.Error(), "do not belong together") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
