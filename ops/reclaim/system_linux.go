package reclaim

import (
	"os"
	"strings"
	"syscall"
)

// hardLinks returns how many names a file has.
func hardLinks(info os.FileInfo) uint64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Nlink) //nolint:unconvert // The types differ between processors.
	}
	return 1
}

// isMounted reports whether a file is a mount of its own, as containers get single files.
func isMounted(path string) bool {
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return false
	}
	for line := range strings.Lines(string(mounts)) {
		if f := strings.Fields(line); len(f) > 4 && unescape(f[4]) == path {
			return true
		}
	}
	return false
}

// unescape reads a path of the list of mounts, in which some characters are octal numbers.
func unescape(path string) string {
	return strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`).Replace(path)
}

// hasAttributes reports whether a file has attributes that a new one wouldn't get, such as a list
// of who may read it. A label of SELinux comes from the folder.
func hasAttributes(path string) bool {
	names := make([]byte, 4096)
	n, err := syscall.Listxattr(path, names)
	if err != nil {
		return false // The file system has none.
	}
	for name := range strings.SplitSeq(strings.Trim(string(names[:n]), "\x00"), "\x00") {
		if name != "" && name != "security.selinux" {
			return true
		}
	}
	return false
}
