package clients_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"lcm-tui/clients"
)

// TestIgnored: by patterns of whole paths, and by a file in the folder or above it.
func TestIgnored(t *testing.T) {
	t.Parallel()
	i, err := clients.ParseIgnored([]string{"/home/me/secret", "/srv/*/private", "**/tax"})
	if err != nil {
		t.Fatal(err)
	}
	for folder, want := range map[string]bool{
		"/home/me/secret": true, "/home/me/secret/deep/er": true, "/home/me/secrets": false, "/home/me": false,
		"/srv/a/private": true, "/srv/a/b/private": false, "/x/y/tax": true, "/x/taxes": false, "": false, "/home/me/../me/secret/": true,
	} {
		if got := i.Has(folder); got != want {
			t.Errorf("%q: %v", folder, got)
		}
	}
	for _, bad := range []string{"relative", "", "./x"} {
		if _, err := clients.ParseIgnored([]string{bad}); err == nil {
			t.Errorf("%q is a pattern", bad)
		}
	}
	root := t.TempDir()
	below := filepath.Join(root, "a", "b")
	if err := os.MkdirAll(below, 0o700); err != nil {
		t.Fatal(err)
	}
	var none clients.Ignored
	if none.Has(below) {
		t.Error("nothing says so")
	}
	if err := os.WriteFile(filepath.Join(root, "a", ".lcm-ignore"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if !none.Has(below) || !none.Has(filepath.Dir(below)) || none.Has(root) {
		t.Error("the file holds for its folder and what is below")
	}
}

// TestIgnoredThroughLinks: a client names the real path of a folder, and a user a link to it, or the other way round.
func TestIgnoredThroughLinks(t *testing.T) {
	t.Parallel()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	folder, link := filepath.Join(root, "real"), filepath.Join(root, "link")
	if err := errors.Join(os.MkdirAll(filepath.Join(folder, "a", "tax"), 0o700), os.Symlink(folder, link)); err != nil {
		t.Fatal(err)
	}
	for pattern, ignored := range map[string]string{link: folder, folder: link, link + "/*/tax": folder + "/a/tax", folder + "/**": link + "/a"} {
		i, err := clients.ParseIgnored([]string{pattern})
		if err != nil {
			t.Fatal(err)
		}
		if !i.Has(ignored) || i.Has(root) {
			t.Errorf("%s: %s is ignored: %v", pattern, ignored, i.Has(ignored))
		}
	}
	if err := os.WriteFile(filepath.Join(folder, ".lcm-ignore"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	outside := filepath.Join(root, "tax")
	if err := os.Symlink(filepath.Join(folder, "a", "tax"), outside); err != nil {
		t.Fatal(err)
	}
	if !(clients.Ignored{}).Has(outside) {
		t.Error("a file above the real path holds for a link to it")
	}
}
