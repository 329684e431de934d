package reclaim

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"lcm-tui/data"
	"lcm-tui/internal/filesystem"
	"lcm-tui/internal/hint"
)

// choose decides how the file is rewritten, and fails where that can't be done: then nothing is
// begun.
func (w *worker) choose(ctx context.Context, inUse bool) (Method, error) {
	w.shared = inUse
	content, err := w.content(ctx)
	if err != nil {
		return "", err
	}
	switch {
	case inUse && w.options.Online:
		if err := w.checkQuick(ctx, content); err != nil {
			return "", err
		}
		return MethodVacuum, checkSpace(vacuumSpace(w.path, content))
	case inUse && w.options.Incremental:
		mode, err := w.number(ctx, "PRAGMA auto_vacuum")
		if err == nil && mode != autoVacuumIncremental {
			err = &hint.Error{
				Text: fmt.Sprintf("%s can't be converted while another program has it open", w.path),
				Next: "stop the host and try again, or add --online for a file that is rewritten within 15 seconds",
				Err:  data.ErrInUse,
			}
		}
		return MethodSteps, err
	case w.unsure:
		w.note("it isn't known whether another program has the file open, so it isn't rewritten: stop the host and run this again as root, or add --online")
		return MethodSteps, nil
	case inUse:
		w.note("another program has the file open, so it isn't rewritten: stop the host and run this again, or add --online")
		return MethodSteps, nil
	}
	if why := unswappable(w.path); why != "" {
		w.note(why + ", so it is rewritten in its place")
		return MethodVacuum, checkSpace(vacuumSpace(w.path, content))
	}
	return MethodSwap, checkSpace(map[string]int64{filepath.Dir(w.path): withMargin(content)})
}

// autoVacuumIncremental is the setting by which free pages can be given back in steps.
const autoVacuumIncremental = 2

func (w *worker) note(text string) { w.result.Notes = append(w.result.Notes, text) }

// withMargin adds a tenth.
func withMargin(bytes int64) int64 { return bytes + bytes/10 }

// vacuumSpace returns what a VACUUM of so many bytes needs, by folder: a temporary file and the -wal.
func vacuumSpace(path string, content int64) map[string]int64 {
	folder, temporary := filepath.Dir(path), temporaryFolder()
	if filesystem.SameDisk(folder, temporary) {
		return map[string]int64{folder: 2 * withMargin(content)}
	}
	return map[string]int64{folder: withMargin(content), temporary: withMargin(content)}
}

// temporaryFolder returns where SQLite puts its temporary files.
func temporaryFolder() string {
	for _, folder := range []string{os.Getenv("SQLITE_TMPDIR"), os.Getenv("TMPDIR"), "/var/tmp", "/usr/tmp", "/tmp"} {
		if info, err := os.Stat(folder); folder != "" && err == nil && info.IsDir() {
			return folder
		}
	}
	return os.TempDir()
}

// checkSpace fails if a disk is known to have too little room.
func checkSpace(needed map[string]int64) error {
	for folder, bytes := range needed {
		if err := data.CheckRoom(folder, bytes, "free some space; emptying the -wal needs none: lcm-tui reclaim --wal", "free some space and try again"); err != nil {
			return err
		}
	}
	return nil
}

// unswappable says why no other file may take the place of this one, or returns "". Where the
// system doesn't show who has a file open, a program that opens the old file in the last moment
// would go unnoticed.
func unswappable(path string) string {
	info, err := os.Stat(path)
	switch {
	case err != nil || runtime.GOOS != "linux":
		return "this system doesn't show who has a file open"
	case hardLinks(info) > 1:
		return "the file has another name as well, a hard link"
	case isMounted(path):
		return "the file is mounted by itself"
	case hasAttributes(path):
		return "the file has attributes that a new one wouldn't get"
	}
	return ""
}

// errCame says that somebody opened the file since it was found to be free.
var errCame = errors.New("another program opened the file or changed it meanwhile")
