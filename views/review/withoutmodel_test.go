package review

import (
	"context"
	"testing"

	"lcm-tui/engine/model/choose"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testlength"
	"lcm-tui/views"
	"lcm-tui/views/viewtest"
)

// standIn is the built-in summarizer that nobody chose: its texts are shown and not written.
type standIn struct{ viewtest.Brief }

func (standIn) Unnamed() bool { return true }

// withoutModel has no model configured, and one that can be chosen on the screen.
func withoutModel(d *viewtest.Driver) {
	d.WithModels(nil)
	d.Env.Summarizer = func(_ context.Context, chosen choose.Choice) (views.Summarizer, error) {
		if chosen.IsZero() {
			return views.Summarizer{Model: standIn{}}, nil
		}
		return views.Summarizer{Model: viewtest.Brief{}}, nil
	}
}

// chooseBuiltIn chooses the built-in summarizer by M and its name.
func chooseBuiltIn(d *viewtest.Driver) {
	d.Press(".", "M", "/")
	d.Write("extractive")
	d.Press("enter", "enter")
}

// TestARepairWithoutAModelNamesTheWayOn: the findings that need a model are listed, M chooses
// one, and the repair is planned again by itself, up to the written text.
func TestARepairWithoutAModelNamesTheWayOn(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	d := viewtest.DriveDemo(t)
	withoutModel(d)
	d.Press("R")
	d.Sees("no model is chosen yet: M chooses one", "M choose the model")
	d.Press("enter")
	d.Sees("~ needs a model", "M chooses it", "M choose the model")
	d.Misses("can't be repaired", "as asked", "built in: choose a provider")
	d.Press("a")
	d.Sees("no model is chosen", "M chooses one")
	chooseBuiltIn(d)
	d.Sees("an estimate", "ctrl+x run")
	d.Press("ctrl+x", "y", "a")
	d.Sees("applied as #1")
}

// TestWhatNeedsNoModelIsAppliedWithoutOne: a repair of which a part needs a model can be
// applied as far as it goes, and says both.
func TestWhatNeedsNoModelIsAppliedWithoutOne(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveSample(t, fakehost.Head, "marker-truncated")
	withoutModel(d)
	d.Press("down", "R", "enter")
	d.Sees("1 to be repaired, 1 waiting for a model", "a applies the rest · M chooses", "~ needs a model")
	d.Press("a")
	d.Sees("applied as #1", "✓ repaired")
}

// TestAChosenModelWithoutAKeySaysSo: choosing a model that can't be asked doesn't sound like
// success.
func TestAChosenModelWithoutAKeySaysSo(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	d.WithModels(nil)
	d.Press(".", "M", "/")
	d.Write("haiku")
	d.Press("enter", "enter")
	d.Sees("anthropic/claude-haiku-4-5 is chosen, and can't be asked yet: ")
	d.Misses("summaries are made by")
}

// TestACompactionWithoutAModelNamesTheWayOn: what can't be applied says that M chooses a
// model, and after that the estimate is made again with it.
func TestACompactionWithoutAModelNamesTheWayOn(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveWithModel(t, viewtest.Brief{})
	set := d.Env.Summarizer
	withoutModel(d)
	unset := d.Env.Summarizer
	d.Env.Summarizer = func(ctx context.Context, chosen choose.Choice) (views.Summarizer, error) {
		s, _ := set(ctx, chosen)
		m, err := unset(ctx, chosen)
		s.Model = m.Model
		return s, err
	}
	d.Press("C", "enter", "ctrl+x", "y")
	d.Sees("it can't be applied: no model is chosen · M chooses one")
	d.Misses("a apply", "flag", "--provider")
	if why := d.App.Top().(*Review).Unsaved(); why != "" {
		t.Errorf("leaving asks about texts that can't be applied: %s", why)
	}
	chooseBuiltIn(d)
	d.Sees("an estimate", "no model was called", "ctrl+x run")
	d.Press("ctrl+x", "y", "a")
	d.Sees("applied as #1")
}

// TestAnotherModelDoesNotTakePaidTextsUnasked: texts that a model was paid for go only after a
// yes when another model is chosen.
func TestAnotherModelDoesNotTakePaidTextsUnasked(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveWithModel(t, viewtest.Brief{})
	d.WithModels(nil)
	d.Press("C", "enter", "ctrl+x", "y")
	d.Sees("a apply")
	chooseBuiltIn(d)
	d.Sees("? plan it again with the other model?", "y yes, plan again · esc no")
	d.Press("esc")
	d.Sees("a apply", "the texts stay")
	d.Press("a")
	d.Sees("applied as #1")
}
