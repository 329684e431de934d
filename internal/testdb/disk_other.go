//go:build !linux

package testdb

import "testing"

// Disk returns a folder on a small disk of its own, which can't be made here: the test is
// skipped.
func Disk(t testing.TB, _ int) string {
	t.Helper()
	t.Skip("no small disks here")
	return ""
}
