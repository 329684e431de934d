package loopback_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"lcm-tui/internal/loopback"
)

func TestToken(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "sub", "token")
	first, isNew, err := loopback.Token(path)
	if err != nil || !isNew || len(first) != 64 {
		t.Fatalf("%q, new %v, %v", first, isNew, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode() != 0o600 {
		t.Errorf("the file is %v, %v", info.Mode(), err)
	}
	if again, isNew, err := loopback.Token(path); err != nil || isNew || again != first {
		t.Errorf("read again: %q, new %v, %v", again, isNew, err)
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	if _, _, err := loopback.Token(path); !errors.Is(err, loopback.ErrTokenShared) {
		t.Errorf("a token that others can read: %v", err)
	}
	for _, text := range []string{"", "short", strings.Repeat("x", 64)} {
		other := filepath.Join(t.TempDir(), "token")
		if err := os.WriteFile(other, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := loopback.Token(other); err == nil {
			t.Errorf("%q was taken as a token", text)
		}
	}
	if _, _, err := loopback.Token(filepath.Join(path, "below a file")); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a token below a file: %v", err)
	}
}

// TestTokenOfServersThatStartTogether: all of them have the token that one of them made.
func TestTokenOfServersThatStartTogether(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "token")
	tokens := make([]string, 8)
	var started sync.WaitGroup
	for i := range tokens {
		started.Go(func() {
			var err error
			if tokens[i], _, err = loopback.Token(path); err != nil {
				t.Error(err)
			}
		})
	}
	started.Wait()
	if slices.Sort(tokens); tokens[0] == "" || tokens[0] != tokens[len(tokens)-1] {
		t.Errorf("they have different tokens: %q", tokens)
	}
}
