package space

import (
	"context"

	"lcm-tui/data"
)

// MeasureWithoutPages measures as where SQLite has no table of pages.
func MeasureWithoutPages(ctx context.Context, db *data.DB) (*Measurement, error) {
	none := func(context.Context, *data.DB, *Object) error { return ErrNoPageTable }
	return measure(ctx, db, func(*Measurement) {}, none)
}
