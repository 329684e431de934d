package choose_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lcm-tui/engine/model/choose"
)

// TestCandidates: what can be chosen is listed with the state of its key, and a program
// only where it is installed.
func TestCandidates(t *testing.T) {
	t.Parallel()
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "claude"), []byte("#!/bin/sh\n"), 0o755); err != nil { //nolint:gosec // It is a program.
		t.Fatal(err)
	}
	host := choose.HostConfig{Model: "anthropic/claude-sonnet-4-6", Fallbacks: []string{"openai/gpt-5-nano"}}
	values := env{"ANTHROPIC_API_KEY": "k", "PATH": bin}
	var got []string
	for _, c := range choose.Candidates(choose.Choice{}, values.get, host) {
		got = append(got, fmt.Sprintf("%s %s %d %t", c.Origin, c.Resolved.Name(), c.Resolved.KeyState(), c.Err == nil))
	}
	for _, want := range []string{
		fmt.Sprintf("host anthropic/claude-sonnet-4-6 %d true", choose.KeySet),
		fmt.Sprintf("fallback openai/gpt-5-nano %d false", choose.KeyMissing),
		fmt.Sprintf("vendor openai/gpt-5-mini %d false", choose.KeyMissing),
		fmt.Sprintf("program claude/default %d true", choose.KeyNotNeeded),
		fmt.Sprintf("built in extractive/textrank %d true", choose.KeyNotNeeded),
	} {
		if !slices.Contains(got, want) {
			t.Errorf("%q is not among\n%s", want, strings.Join(got, "\n"))
		}
	}
	if slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, "codex") }) {
		t.Error("codex is offered, which is not installed")
	}
}

// TestCandidateOfTheFlags: the first candidate is what the flags name.
func TestCandidateOfTheFlags(t *testing.T) {
	t.Parallel()
	host := choose.HostConfig{Model: "anthropic/claude-sonnet-4-6"}
	all := choose.Candidates(choose.Choice{Provider: "openai"}, env{"OPENAI_API_KEY": "k"}.get, host)
	if name := all[0].Resolved.Name(); name != "openai/gpt-5-mini" {
		t.Errorf("the first is %s", name)
	}
}
