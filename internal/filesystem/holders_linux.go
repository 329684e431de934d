package filesystem

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// HoldersUnder finds the other processes that have a database open by the links of their
// open files. It opens none of these: closing a handle of the database would drop
// SQLite's locks. It isn't sure where a process doesn't show its files, or isn't shown itself. names
// are those under which the file may have been opened; none are all names.
func HoldersUnder(path string, names ...string) Holders {
	file, err := os.Stat(path)
	procs, failed := os.ReadDir("/proc")
	if err != nil || failed != nil {
		return Holders{}
	}
	// Where the first process isn't listed, those of other users are hidden.
	out := Holders{Known: slices.ContainsFunc(procs, func(p os.DirEntry) bool { return p.Name() == "1" })}
	for _, p := range procs {
		pid, err := strconv.Atoi(p.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		holds, known := holdsFile(filepath.Join("/proc", p.Name()), names, file)
		out.Known = out.Known && known
		if holds {
			out.Names = append(out.Names, processName(pid))
		}
	}
	return out
}

// nameOf returns how a process is called.
func nameOf(pid int) string {
	name, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "comm"))
	if err != nil {
		return "another program"
	}
	return strings.TrimSpace(string(name))
}

// holdsFile reports whether a process has a file open, and whether that is known.
func holdsFile(proc string, names []string, file os.FileInfo) (holds, known bool) {
	fds, err := os.ReadDir(filepath.Join(proc, "fd"))
	if err != nil {
		return false, errors.Is(err, fs.ErrNotExist) // It ended.
	}
	for _, fd := range fds {
		link := filepath.Join(proc, "fd", fd.Name())
		to, err := os.Readlink(link)
		if err != nil || len(names) > 0 && !slices.Contains(names, strings.TrimSuffix(filepath.Base(to), " (deleted)")) {
			continue
		}
		if info, err := os.Stat(link); err == nil && os.SameFile(info, file) {
			return true, true
		}
	}
	return false, true
}
