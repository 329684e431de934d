package outcome_test

import (
	"context"
	"errors"
	"testing"

	"lcm-tui/internal/outcome"
	"lcm-tui/internal/parallel"
)

// TestErrorsSayWhatWasReached: each error says what was noted before it, and nothing else.
func TestErrorsSayWhatWasReached(t *testing.T) {
	t.Parallel()
	failed := errors.New("the disk is full")
	panicked := parallel.Call(func() error { panic("index out of range") })
	for name, c := range map[string]struct {
		note func(o *outcome.Outcome)
		err  error
		want string
	}{
		"a read failed":              {func(*outcome.Outcome) {}, failed, "the disk is full"},
		"cancelled at once":          {func(*outcome.Outcome) {}, context.Canceled, "cancelled; nothing was written"},
		"an error of the program":    {func(*outcome.Outcome) {}, panicked, "internal error: index out of range; nothing was written"},
		"a write failed":             {(*outcome.Outcome).Begin, failed, "the disk is full; nothing was written"},
		"after a backup":             {func(o *outcome.Outcome) { o.Begin(); o.Backup("/b.db") }, failed, "the disk is full; nothing was changed, and the backup that was made before stays: /b.db"},
		"after a record":             {func(o *outcome.Outcome) { o.Backup("/b.db"); o.Rows(); o.Record(4) }, failed, "the disk is full; record 4 is written and stays"},
		"after records":              {func(o *outcome.Outcome) { o.Record(4); o.Record(5); o.Record(5) }, context.Canceled, "cancelled; records 4 to 5 are written and stay"},
		"after a record and a step":  {func(o *outcome.Outcome) { o.Step("the file is rewritten"); o.Record(4) }, failed, "the disk is full; record 4 is written and stays; the file is rewritten"},
		"a step again and again":     {func(o *outcome.Outcome) { o.Step("it is sent"); o.Step("it is sent") }, context.Canceled, "cancelled; it is sent"},
		"rows of no record":          {(*outcome.Outcome).Rows, failed, "the disk is full; a part was written"},
		"rows that were undone":      {func(o *outcome.Outcome) { o.Begin(); undone := o.Undoing(); o.Rows(); o.Rows(); undone() }, failed, "the disk is full; nothing was written"},
		"rows before those":          {func(o *outcome.Outcome) { o.Rows(); undone := o.Undoing(); o.Rows(); undone() }, failed, "the disk is full; a part was written"},
		"the error says it":          {(*outcome.Outcome).Rows, &outcome.Error{Reached: "half of it is done", Err: failed}, "the disk is full; half of it is done"},
		"the error says it, wrapped": {(*outcome.Outcome).Rows, errors.Join(&outcome.Error{Reached: "half of it is done", Err: context.Canceled}), "cancelled; half of it is done"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, o := outcome.With(t.Context())
			c.note(outcome.Of(ctx))
			if got := o.Explain(c.err); got.Error() != c.want || !errors.Is(got, c.err) {
				t.Errorf("it says %q, want %q", got, c.want)
			}
		})
	}
}

// TestNobodyNotes: what is changed where nobody asks for the outcome is not noted, and no success is an error.
func TestNobodyNotes(t *testing.T) {
	t.Parallel()
	o := outcome.Of(t.Context())
	o.Begin()
	o.Record(1)
	o.Undoing()()
	if len(o.Records()) != 0 || o.Explain(nil) != nil {
		t.Errorf("%v", o.Records())
	}
}

// TestHintOfTheCauseComesFirst: what can be done about the cause, then about what is written.
func TestHintOfTheCauseComesFirst(t *testing.T) {
	t.Parallel()
	inner := &outcome.Error{Next: "free some space", Err: errors.New("full")}
	for want, e := range map[string]*outcome.Error{
		"undo it":                  {Next: "undo it", Err: errors.New("full")},
		"free some space":          {Err: inner},
		"free some space\nundo it": {Next: "undo it", Err: inner},
	} {
		if got := e.Hint(); got != want {
			t.Errorf("the hint is %q, want %q", got, want)
		}
	}
}
