package hosts

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/cli"
	"lcm-tui/data/openclaw"
)

// TestTheWarningAboutConfigurationComesOnce: the first start of the screens has the warning, and the keys that
// are right; when they start again on another file, only the keys.
func TestTheWarningAboutConfigurationComesOnce(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, cli.Program), 0o700); err != nil {
		t.Fatal(err)
	}
	text := "[keys]\nnosuch = \"x\"\ndissolve = \"f9\"\n"
	if err := os.WriteFile(filepath.Join(folder, cli.Program, "config.toml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := parsed(t, map[string]string{"XDG_CONFIG_HOME": folder})
	first := s.options(nil, openclaw.Locations{}, nil).User
	if !strings.Contains(first.Warning, "config.toml: 1 mistake, listed by lcm-tui config: line 2, column 1: there is no action nosuch") {
		t.Errorf("%q", first.Warning)
	}
	second := s.options(nil, openclaw.Locations{}, nil).User
	if second.Warning != "" || len(first.Keymap) != 1 || len(second.Keymap) != 1 {
		t.Errorf("%q, %v, %v", second.Warning, first.Keymap, second.Keymap)
	}
}
