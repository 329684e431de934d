package removal

import (
	"context"
	"errors"

	"lcm-tui/data"
	"lcm-tui/internal/hint"
)

// unsound says why nothing of a file may be pruned, and what to do first.
func unsound(why, next string) error {
	return hint.New("nothing of this file may be pruned: "+why, next)
}

// fullCheckBytes is the size up to which a file is checked as a whole. Of a larger one only the
// pages are checked, and not whether every index has every row.
const fullCheckBytes = 64 << 20

// CheckSound fails where nothing of a file may be pruned whatever it is: one of another program,
// one of which tables are missing, a damaged one, or one in which rows refer to others that don't exist.
func CheckSound(ctx context.Context, db *data.DB) error {
	switch kind := db.Kind(); {
	case kind.Relative:
		return unsound("it is of a related program, whose rules aren't known", "what fills it is shown by lcm-tui space")
	case len(db.Schema().Missing())+len(db.Schema().MissingColumns()) > 0:
		return unsound("it lacks tables or columns that every lcm.db has", "lcm-tui info names them; restore a backup")
	case kind.Generation == data.GenerationOne && kind.Note != "":
		return unsound("it is "+kind.Note+" for a file of a host of 1.0", "start the host once, which makes them; lcm-tui info names them")
	}
	damage := ""
	note := func(line string) {
		if damage == "" && line != "ok" {
			damage = line
		}
	}
	if db.Size() <= fullCheckBytes {
		if err := data.PageCheck(ctx, db, 1, note); err != nil {
			return err
		}
	} else if err := quickCheck(ctx, db, note); err != nil {
		return err
	}
	if damage != "" {
		return unsound("it is damaged ("+damage+")", "save what is left with lcm-tui salvage, or restore a backup; lcm-tui doctor says what is damaged")
	}
	broken, err := data.Violations(ctx, db)
	if err != nil || len(broken) == 0 {
		return err
	}
	return unsound("rows of "+broken[0].Table+" refer to rows of "+broken[0].Parent+" that don't exist", "lcm-tui doctor shows them, and lcm-tui repair may remove them")
}

// quickCheck calls fn with the first thing that is wrong with the pages of a file, or with ok.
func quickCheck(ctx context.Context, db *data.DB, fn func(line string)) (err error) {
	r, err := db.OpenReader(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	return r.EachRow(ctx, "check the pages", "PRAGMA quick_check(1)", nil, func(scan data.RowScanner) error {
		var line string
		err := scan(&line)
		fn(line)
		return err
	})
}
