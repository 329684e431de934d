//go:build unix

package install

import (
	"fmt"
	"os"
	"syscall"
)

// copyOwner gives a file the owner and the group of another. A group that the user may not
// give is left out.
func copyOwner(from, to string) error {
	want, err := owner(from)
	if err != nil {
		return err
	}
	have, err := owner(to)
	if err != nil || have == want {
		return err
	}
	if err := os.Chown(to, want.user, want.group); err != nil && have.user != want.user {
		return fmt.Errorf("keep the owner of the file: %w", err)
	}
	return nil
}

// ids are a user and a group.
type ids struct{ user, group int }

func owner(path string) (ids, error) {
	info, err := os.Stat(path)
	if err != nil {
		return ids{}, err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ids{}, nil
	}
	return ids{int(stat.Uid), int(stat.Gid)}, nil
}

// syncFolder writes the names in a folder to the disk. Some file systems can't.
func syncFolder(path string) {
	if folder, err := os.Open(path); err == nil {
		_ = folder.Sync()
		_ = folder.Close()
	}
}
