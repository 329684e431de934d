package main

import (
	"strings"
	"testing"

	"lcm-tui/internal/terminal"
)

func TestPicturesCanBePlayed(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, p := range pictures {
		if names[p.name] {
			t.Errorf("two pictures are called %q", p.name)
		}
		names[p.name] = true
		for _, stage := range p.keys {
			if _, err := terminal.Keys(stage); err != nil {
				t.Errorf("%s: %v", p.name, err)
			}
		}
	}
}

func TestChoose(t *testing.T) {
	t.Parallel()
	if got, err := choose("", ""); err != nil || len(got) != len(pictures) {
		t.Errorf("all: %d pictures, %v", len(got), err)
	}
	if got, err := choose("help", ""); err != nil || len(got) != 1 || got[0].name != "help" {
		t.Errorf("help: %v, %v", got, err)
	}
	if got, err := choose("", "s d"); err != nil || len(got) != 1 || got[0].keys[0] != "s d" {
		t.Errorf("keys: %v, %v", got, err)
	}
	if _, err := choose("hlep", ""); err == nil || !strings.Contains(err.Error(), "context") {
		t.Errorf("a wrong name: %v", err)
	}
}
