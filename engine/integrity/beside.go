package integrity

import (
	"context"
	"fmt"
	"path/filepath"

	"lcm-tui/data"
	"lcm-tui/data/change"
)

// checkTrash finds records of removals whose trash is gone, so that they can't be undone. It
// looks at the path in the record, and beside the database, which may have been moved.
func (c *checker) checkTrash(ctx context.Context) error {
	records, err := change.History(ctx, c.db)
	for _, r := range records {
		receipt, ok := change.ReceiptOf(r)
		beside := filepath.Join(data.TrashFolder(c.db.Path()), filepath.Base(receipt.Path))
		if ok && !r.Undone() && !isFile(receipt.Path) && !isFile(beside) {
			c.add(TrashMissing, rowAt("lcm_tui_undo", formatID(r.ID)), fmt.Sprintf("%s: there is no file %s", clip(r.Title), receipt.Path))
		}
	}
	return err
}

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
