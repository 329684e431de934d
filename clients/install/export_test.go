package install

import (
	"fmt"
	"testing"
	"time"
)

// SetBeforeRename sets what is called when everything is written but the file has its old
// content. It is for a process of its own.
func SetBeforeRename(f func()) { beforeRename = f }

// Values returns the values of a client's configuration.
func Values(t testing.TB, client, content string) map[string]any {
	t.Helper()
	c, _ := ClientNamed(client)
	d, err := c.read([]byte(content))
	if err != nil {
		t.Fatal(err)
	}
	values, _ := d.values().(map[string]any)
	return values
}

// SetLockWait sets how long a change waits for the lock of another program.
func (c *Change) SetLockWait(d time.Duration) { c.lockWait = d }

// Lock takes the lock of a configuration file.
func Lock(path string, wait time.Duration) (unlock func(), err error) {
	return (&file{path: path}).lock(wait)
}

// CodexTrust returns the hashes by which Codex knows the hooks of a file, by their keys.
func CodexTrust(t testing.TB, path, content string) map[string]string {
	t.Helper()
	text, err := readJSON([]byte(content), false)
	if err != nil {
		t.Fatal(err)
	}
	p := &place{Inspection: &Inspection{}, hooks: text}
	trust := map[string]string{}
	for _, h := range p.ourHooks() {
		trust[fmt.Sprintf("%s:%s:%d:%d", path, snakeCase(h.event), h.group, h.handler)] = codexHash(h)
	}
	return trust
}

// SplitShellLine returns the words of a command line.
func SplitShellLine(line string) []string { return splitShellLine(line) }
