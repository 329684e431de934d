package data

import (
	"context"
	"database/sql"
	"errors"

	"modernc.org/sqlite"
)

// restoredPerStep is how many pages are restored between two looks at whether the restore is still
// wanted.
const restoredPerStep = 64

// RestorePages has SQLite copy the pages of a file, which nobody writes, into the database of a
// connection, in one transaction. Where it is cut short, the database is as it was. The pages of both
// must have one size. On a database in WAL mode readers go on with what they read before; who writes
// waits.
func RestorePages(ctx context.Context, conn *sql.Conn, from string, report Report) error {
	return conn.Raw(func(driver any) error {
		d, ok := driver.(interface {
			NewRestore(uri string) (*sqlite.Backup, error)
		})
		if !ok {
			return errors.New("this SQLite driver restores nothing")
		}
		b, err := d.NewRestore(FileURI(from, "mode=ro&immutable=1"))
		if err != nil {
			return err
		}
		return stepPages(ctx, b, restoredPerStep, "restoring pages", report)
	})
}
