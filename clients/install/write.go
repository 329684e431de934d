package install

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"lcm-tui/internal/atomicfile"
	"lcm-tui/internal/leftover"
	"lcm-tui/internal/regularfile"
)

// How backups are named: the file's name, this, the time in UTC, and .bak.
const (
	backupMark = ".lcm-tui-"
	backupEnd  = ".bak"
	backupTime = "20060102T150405Z"
	maxBackups = 100 // How many are looked at.
)

// beforeRename is called when everything is written but the file has its old content.
var beforeRename = func() {}

// write replaces the content of the file, or creates it, in one step: whoever reads it sees the
// old content or the new. It returns the path of the backup, which is empty for a new file.
func (f *file) write(content []byte, isPrivate bool, now time.Time) (backup string, err error) {
	mode, folderMode := f.mode.Perm(), fs.FileMode(0o755)
	if !f.exists {
		mode = 0o644
		if isPrivate {
			mode, folderMode = 0o600, 0o700
		}
	}
	folder := f.folder()
	if err := f.makeFolder(folderMode); err != nil {
		return "", err
	}
	if f.exists {
		if backup, err = f.backUp(now); err != nil {
			return "", err
		}
		made := backup
		defer func() {
			if err != nil { // The file is as it was.
				_ = os.Remove(made)
			}
		}()
	}
	part, err := leftover.CreateFile(folder, "."+filepath.Base(f.target)) // If this process is killed, the next one removes it.
	if err != nil {
		return "", fmt.Errorf("write the configuration: %w", err)
	}
	defer os.Remove(part.Name()) // Where it has got its name there is nothing to remove.
	_, err = part.Write(content)
	if f.exists {
		err = errors.Join(err, f.copyOwner(part.Name()))
	}
	if err = errors.Join(err, part.Chmod(mode), part.Sync(), part.Close()); err != nil {
		return "", fmt.Errorf("write the configuration: %w", err)
	}
	if err := f.checkUnchanged(); err != nil {
		return "", err
	}
	beforeRename()
	if err := f.giveName(part.Name()); err != nil {
		return "", fmt.Errorf("write the configuration: %w", err)
	}
	regularfile.SyncFolder(folder)
	return backup, nil
}

// copyOwner gives a file the owner of the configuration.
func (f *file) copyOwner(path string) error {
	info, err := os.Stat(f.target)
	if err != nil {
		return err
	}
	return regularfile.CopyOwner(path, info)
}

// giveName gives the new content its name. A link, which replaces nothing, creates a new file
// where the file system has links.
func (f *file) giveName(part string) error {
	if !f.exists {
		return atomicfile.Rename(part, f.target)
	}
	return os.Rename(part, f.target)
}

// remove deletes the file.
func (f *file) remove() error {
	if err := f.checkUnchanged(); err != nil {
		return err
	}
	if err := os.Remove(f.target); err != nil {
		return fmt.Errorf("remove the configuration: %w", err)
	}
	regularfile.SyncFolder(f.folder())
	return nil
}

// backUp writes the content as it was beside the file, private to the user. No backup is ever
// written over.
func (f *file) backUp(now time.Time) (path string, err error) {
	for i := 1; ; i++ {
		path = f.target + backupMark + now.UTC().Format(backupTime)
		if i > 1 {
			path += fmt.Sprintf("-%d", i)
		}
		path += backupEnd
		out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) && i < maxBackups {
			continue
		}
		if err != nil {
			return "", fmt.Errorf("back up the configuration: %w", err)
		}
		_, err = out.Write(f.content)
		if err = errors.Join(err, out.Sync(), out.Close(), f.copyOwner(path)); err != nil {
			return "", errors.Join(fmt.Errorf("back up the configuration: %w", err), os.Remove(path))
		}
		return path, nil
	}
}

// backups returns the contents of the backups beside the file, the newest first. One that can't
// be read is left out.
func (f *file) backups() (contents [][]byte) {
	all, err := os.ReadDir(f.folder())
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range all {
		if strings.HasPrefix(e.Name(), filepath.Base(f.target)+backupMark) && strings.HasSuffix(e.Name(), backupEnd) {
			names = append(names, e.Name())
		}
	}
	slices.SortFunc(names, func(a, b string) int { return compareBackups(b, a) })
	for _, name := range names[:min(len(names), maxBackups)] {
		content, err := regularfile.Read(filepath.Join(f.folder(), name), maxSize+1)
		if err == nil && len(content) <= maxSize {
			contents = append(contents, content)
		}
	}
	return contents
}

// compareBackups orders the names of backups by time, then by number.
func compareBackups(a, b string) int {
	a, b = strings.TrimSuffix(a, backupEnd), strings.TrimSuffix(b, backupEnd)
	if len(a) != len(b) { // The first of a second has no number.
		shorter := min(len(a), len(b))
		if a[:shorter] == b[:shorter] {
			return len(a) - len(b)
		}
	}
	return bytes.Compare([]byte(a), []byte(b))
}
