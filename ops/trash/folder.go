package trash

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"lcm-tui/data"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/leftover"
)

var (
	errOtherDevice = errors.New("it is on another disk than the database")
	errNoFolder    = errors.New("there is something that is no folder")
)

// folderError says why the trash folder can't be used. Nothing was removed.
func folderError(folder string, err error) error {
	next := "make the folder of the database writable"
	switch {
	case errors.Is(err, errOtherDevice):
		next = "the trash must be an ordinary folder on the disk of the database, since large files are renamed into it"
	case errors.Is(err, errNoFolder):
		next = "move what stands there away"
	}
	return &hint.Error{Text: fmt.Sprintf("the trash %s can't be used: %v", folder, err), Next: next, Err: err}
}

// CheckFolder fails where the trash of a database can't be written to. It
// makes the folder if it is missing, private to the user.
func CheckFolder(db *data.DB) error {
	folder := data.TrashFolder(db.Path())
	fail := func(err error) error { return folderError(folder, err) }
	if err := os.Mkdir(folder, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return fail(err)
	}
	info, err := os.Lstat(folder)
	switch {
	case err != nil:
		return fail(err)
	case !info.IsDir():
		return fail(errNoFolder)
	}
	if err := os.Chmod(folder, 0o700); err != nil {
		return fail(err)
	}
	beside, err := os.Stat(filepath.Dir(folder))
	if err != nil {
		return fail(err)
	}
	if !sameDevice(info, beside) {
		return fail(errOtherDevice)
	}
	probe, err := leftover.CreateFile(folder, ".probe") // A later one removes what a killed process left.
	if err != nil {
		return fail(err)
	}
	if err := errors.Join(os.Remove(probe.Name()), probe.Close()); err != nil {
		return fail(err)
	}
	return nil
}
