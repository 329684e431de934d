package install

import (
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
