//go:build !linux && !darwin && !freebsd

package filesystem

// FreeSpace can't be asked here.
func FreeSpace(string) (bytes int64, known bool) { return 0, false }

// SameDisk can't be asked here.
func SameDisk(_, _ string) bool { return false }
