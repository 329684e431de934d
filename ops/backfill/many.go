package backfill

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"lcm-tui/data"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
)

// Many imports several session files, one after another. Its plan is the first change; the
// others follow as its steps, each in a transaction and under a record of its own.
type Many struct {
	Files []*Op

	left []*Op // The files from which the next steps import; the first is begun.
	step int   // The number of the next step of that file.
}

var _ ops.Stepper = (*Many)(nil)

// Name implements ops.Op.
func (*Many) Name() string { return "backfill" }

// Plan implements ops.Op. Its notes say what each file adds. A file that can't be read is left
// out with a warning.
func (m *Many) Plan(ctx context.Context, db *data.DB, report data.Report) (ops.Plan, error) {
	var notes, warnings []string
	var left []*Op
	messages := 0
	for i, o := range m.Files {
		name := filepath.Base(o.Path)
		report(i, len(m.Files), "reading "+name)
		s, err := o.Survey(ctx, db, func(int, int, string) {})
		switch {
		case ctx.Err() != nil:
			return ops.Plan{}, ctx.Err()
		case err != nil:
			var filtered *FilteredError
			if warning := fmt.Sprintf("%s is left out: %v", name, err); errors.As(err, &filtered) {
				warnings = append(warnings, err.Error())
			} else {
				warnings = append(warnings, warning)
			}
			continue
		case s.Messages == 0:
			notes = append(notes, name+": everything in it is stored already")
			continue
		}
		left, messages = append(left, o), messages+s.Messages
		notes = append(notes, fmt.Sprintf("%s: %s into %s", name, plural.Count(s.Messages, "message", "messages"), s.target()))
	}
	if len(left) == 0 {
		return ops.Plan{}, fmt.Errorf("backfill: nothing in these %s is new%s: %w", plural.Count(len(m.Files), "session file", "session files"),
			strings.Join(append([]string{""}, warnings...), "; "), ops.ErrNothing)
	}
	p, err := left[0].Plan(ctx, db, report)
	if err != nil {
		return ops.Plan{}, err
	}
	m.left, m.step = left, 1
	ofFirst := p.Title
	p.Title = fmt.Sprintf("import %s of %s", plural.Count(messages, "message", "messages"), plural.Count(len(left), "session file", "session files"))
	p.Notes = append(notes, p.Notes...)
	for _, w := range warnings {
		p.Warn(w)
	}
	if len(left) > 1 {
		p.RecordTitle = ofFirst
		p.Title += fmt.Sprintf(" (rows of the first of them, %s)", filepath.Base(left[0].Path))
		p.Note("the rows shown are those of " + filepath.Base(left[0].Path) + "; the other files follow as changes of their own, which are undone one by one")
	}
	return p, nil
}

// target returns the conversation of a session file in words.
func (s Survey) target() string {
	if s.New {
		return "a new conversation"
	}
	return fmt.Sprintf("conversation %d", s.Conversation)
}

// Step implements ops.Stepper.
func (m *Many) Step(int) (ops.Op, bool) { return nextStep{m}, len(m.Files) > 0 }

// nextStep is the next change of an import of several session files.
type nextStep struct{ *Many }

// Plan implements ops.Op. It goes on to the next file where nothing of the present one is
// left. An error ends the import there: what was written before stays.
func (s nextStep) Plan(ctx context.Context, db *data.DB, report data.Report) (ops.Plan, error) {
	for len(s.left) > 0 {
		o := s.left[0]
		step, more := o.Step(s.step)
		err := ops.ErrNothing
		var p ops.Plan
		if more {
			p, err = step.Plan(ctx, db, report)
		}
		if err == nil {
			s.step++
			return p, nil
		}
		if !errors.Is(err, ops.ErrNothing) {
			return ops.Plan{}, fmt.Errorf("%s: %w", filepath.Base(o.Path), err)
		}
		o.Close()
		s.left, s.step = s.left[1:], 0
	}
	return ops.Plan{}, ops.ErrNothing
}
