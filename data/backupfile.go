package data

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"lcm-tui/internal/leftover"
)

// backupSuffix ends the names of backups, those of this program and those of hosts.
const backupSuffix = ".bak"

// BackupFile is a backup that lies beside a database.
type BackupFile struct {
	Path             string
	Bytes            int64
	ModifiedAt       time.Time
	Mode             fs.FileMode
	ReadableByOthers bool // Users other than the owner may read it, and may enter its folder.
}

// Backups lists the backups beside a database, by name: files that begin with its name and end
// in .bak, as this program and hosts call them. It opens none of them.
func Backups(path string) (out []BackupFile, err error) {
	dir := filepath.Dir(path)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	folder, err := os.Stat(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), filepath.Base(path)+".") || !strings.HasSuffix(e.Name(), backupSuffix) {
			continue
		}
		info, err := os.Stat(filepath.Join(dir, e.Name()))
		if err != nil || !info.Mode().IsRegular() {
			continue // It was deleted since, or is a link that leads nowhere.
		}
		out = append(out, BackupFile{
			Path: filepath.Join(dir, e.Name()), Bytes: info.Size(), ModifiedAt: info.ModTime(), Mode: info.Mode(),
			ReadableByOthers: readableByOthers(folder.Mode(), info.Mode()),
		})
	}
	return out, nil
}

// Leftovers lists what killed processes of this program left beside a database and in the folder for
// temporary files, some of it whole copies: what no process is known to use. It opens none of them as a
// database.
func Leftovers(path string) []string { return leftover.Found(path) }

// readableByOthers reports whether the group or everybody may enter a folder and read a file
// in it. Windows has no such permissions.
func readableByOthers(folder, file fs.FileMode) bool {
	const group, everybody, read, enter = 3, 0, 4, 1
	may := func(who int) bool { return folder&(enter<<who) != 0 && file&(read<<who) != 0 }
	return runtime.GOOS != "windows" && (may(group) || may(everybody))
}

// FileBytes returns the sizes of a database and of its write-ahead log, 0 where there is none. It
// opens neither of them.
func FileBytes(path string) (file, log int64) {
	size := func(path string) int64 {
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() {
			return 0
		}
		return info.Size()
	}
	return size(path), size(path + WALSuffix)
}
