package main

import (
	"strings"
	"testing"

	"lcm-tui/internal/terminal"
)

func TestEverySceneCanBePlayed(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, s := range scenes {
		if names[s.name] {
			t.Errorf("two pictures are called %q", s.name)
		}
		names[s.name] = true
		if len(s.steps) == 0 {
			t.Errorf("%s has no steps", s.name)
		}
		for _, st := range s.steps {
			if _, err := terminal.Keys(st.keys); err != nil {
				t.Errorf("%s: %v", s.name, err)
			}
			if s.plays && st.caption == "" {
				t.Errorf("%s: the step %q has no caption", s.name, st.keys)
			}
		}
	}
}

func TestSelectScenes(t *testing.T) {
	t.Parallel()
	if got, err := selectScenes("", ""); err != nil || len(got) != len(scenes) {
		t.Errorf("all: %d pictures, %v", len(got), err)
	}
	if got, err := selectScenes("help", ""); err != nil || len(got) != 1 || got[0].name != "help" {
		t.Errorf("help: %v, %v", got, err)
	}
	if got, err := selectScenes("", "s d"); err != nil || len(got) != 1 || got[0].steps[0].keys != "s d" {
		t.Errorf("keys: %v, %v", got, err)
	}
	if _, err := selectScenes("hlep", ""); err == nil || !strings.Contains(err.Error(), "context") {
		t.Errorf("a wrong name: %v", err)
	}
}
