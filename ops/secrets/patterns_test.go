package secrets_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"lcm-tui/engine/redact"
	"lcm-tui/internal/testdb"
	"lcm-tui/ops/secrets"
)

// TestPatterns: those of all projects and of one are kept in files of their own, private to the user; remarks and
// other lines of a file stay as they are.
func TestPatterns(t *testing.T) {
	t.Parallel()
	c := secrets.ConfigIn(filepath.Join(t.TempDir(), "lcm-tui"))
	change := func(want bool, got bool, err error) {
		t.Helper()
		if got != want || err != nil {
			t.Errorf("%v, %v", got, err)
		}
	}
	add := func(project, pattern string) (bool, error) { return c.AddPattern(project, pattern) }
	got, err := add("", "intern_[a-z]+")
	change(true, got, err)
	testdb.Must(t, os.WriteFile(c.PatternFile(""), []byte("# mine\n\n  intern_[a-z]+  \n"), 0o600))
	got, err = add("", "intern_[a-z]+")
	change(false, got, err)
	got, err = add("p-123456", "ACME-[0-9]{6}")
	change(true, got, err)
	got, err = c.RemovePattern("p-123456", "intern_[a-z]+")
	change(false, got, err)
	p, err := c.Patterns("p-123456")
	if err != nil || !slices.Equal(p.Global, []string{"intern_[a-z]+"}) || !slices.Equal(p.Project, []string{"ACME-[0-9]{6}"}) {
		t.Errorf("%+v, %v", p, err)
	}
	scanner, err := c.Masked("p-123456")
	testdb.Must(t, err)
	if _, n := (redact.Masker{Scanner: scanner}).Mask("ACME-123456 and intern_bob"); n != 2 {
		t.Errorf("%d are masked", n)
	}
	if scanner, err = c.Masked("other"); err != nil {
		t.Fatal(err)
	}
	if _, n := (redact.Masker{Scanner: scanner}).Mask("ACME-123456 and intern_bob"); n != 1 {
		t.Errorf("another project: %d are masked", n)
	}
	got, err = c.RemovePattern("", "intern_[a-z]+")
	change(true, got, err)
	if text, err := os.ReadFile(c.PatternFile("")); err != nil || string(text) != "# mine\n\n" {
		t.Errorf("%q, %v", text, err)
	}
	info, err := os.Stat(c.PatternFile("p-123456"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	for _, bad := range []string{"", " ", "(", ".*", "# x", "a\nb"} {
		if added, err := add("", bad); added || err == nil {
			t.Errorf("%q is added: %v", bad, err)
		}
	}
	if added, err := (secrets.Config{}).AddPattern("", "abcdefgh"); added || err == nil {
		t.Errorf("without a folder: %v, %v", added, err)
	}
	testdb.Must(t, os.WriteFile(c.PatternFile(""), []byte("(\n"), 0o600))
	if _, err := c.Masked(""); err == nil {
		t.Error("a pattern that can't be read masks nothing, and nobody knows")
	}
}
