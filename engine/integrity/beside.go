package integrity

import (
	"context"
	"fmt"

	"lcm-tui/data"
)

// checkFilesBeside looks at what lies beside the database: the size of the write-ahead log, and
// the permissions of backups. It opens none of them.
func (c *checker) checkFilesBeside(context.Context) error {
	if file, log := data.FileBytes(c.db.Path()); log > file {
		c.add(LogLargerThanFile, rowAt("files", c.db.Path()+"-wal"), fmt.Sprintf("it has %d bytes, the database %d", log, file))
	}
	backups, err := data.Backups(c.db.Path())
	if err != nil {
		return nil // Nothing is known about a folder that can't be read.
	}
	for _, b := range backups {
		if b.ReadableByOthers {
			c.add(BackupReadable, rowAt("files", b.Path), fmt.Sprintf("its permissions are %04o, so other users of this machine may read it", b.Mode.Perm()))
		}
	}
	return nil
}
