package pagestream

import (
	"context"
	"errors"

	"lcm-tui/data"
)

// Check opens a received file and has SQLite check its pages, as far as PRAGMA quick_check does. The error is
// one of opening a database, or of kind data.ErrDamaged.
func Check(ctx context.Context, path string) error {
	db, err := data.Open(ctx, path)
	if err != nil {
		return err
	}
	defer db.Close()
	return db.EachRow(ctx, "check", "PRAGMA quick_check(1)", nil, func(scan data.RowScanner) error {
		var printed string
		if err := scan(&printed); err != nil || printed == "ok" {
			return err
		}
		return &data.Error{Path: path, Verb: "check", Kind: data.ErrDamaged, Err: errors.New(printed)}
	})
}
