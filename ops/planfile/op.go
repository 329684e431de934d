package planfile

import (
	"context"
	"path/filepath"
	"slices"

	"lcm-tui/data"
	"lcm-tui/ops"
)

// Op is the operation of a plan file: planning it prepares what stands in the file.
type Op struct {
	File    *File
	Options Options
}

var _ ops.Op = (*Op)(nil)

// Name implements ops.Op.
func (o *Op) Name() string { return o.File.Op }

// Plan implements ops.Op.
func (o *Op) Plan(ctx context.Context, db *data.DB, report data.Report) (ops.Plan, error) {
	options := o.Options
	options.Report = report
	ready, err := o.File.Prepare(ctx, db, options)
	return ready.Plan, err
}

// pathBeside returns the pattern of plan files that lie beside the database at path.
func pathBeside(path, middle string) string { return path + ".lcm-tui-plan-" + middle + ".json" }

// DefaultPath returns where a plan of a database goes that is given no name: beside it.
func DefaultPath(db *data.DB) string {
	return pathBeside(db.Path(), db.Now().UTC().Format("20060102T150405Z"))
}

// Beside returns the plan files beside the database at path that have no other name, the newest first.
func Beside(path string) []string {
	const time = "????????T??????Z"
	names, _ := filepath.Glob(filepath.Join(escape(filepath.Dir(path)), pathBeside(escape(filepath.Base(path)), time)))
	slices.Sort(names)
	slices.Reverse(names)
	return names
}

// escape returns a name as a pattern that matches nothing else.
func escape(name string) string {
	var out []rune
	for _, c := range name {
		if slices.Contains([]rune(`*?[\`), c) && filepath.Separator != '\\' {
			out = append(out, '\\')
		}
		out = append(out, c)
	}
	return string(out)
}
