package views

import (
	"context"
	"testing"

	"lcm-tui/engine/model/choose"
	"lcm-tui/internal/fakehost"
)

// standIn is the built-in summarizer that nobody chose: its texts are shown and not written.
type standIn struct{ brief }

func (standIn) Unnamed() bool { return true }

// withoutModel has no model configured, and one that can be chosen on the screen.
func (d *driver) withoutModel() {
	d.withModels(nil)
	d.env.Summarizer = func(_ context.Context, chosen choose.Choice) (Summarizer, error) {
		if chosen.IsZero() {
			return Summarizer{Model: standIn{}}, nil
		}
		return Summarizer{Model: brief{}}, nil
	}
}

// chooseBuiltIn chooses the built-in summarizer by M and its name.
func (d *driver) chooseBuiltIn() {
	d.press("M", "/")
	d.write("extractive")
	d.press("enter", "enter")
}

// TestARepairWithoutAModelNamesTheWayOn: the findings that need a model are listed, M chooses
// one, and the repair is planned again by itself, up to the written text.
func TestARepairWithoutAModelNamesTheWayOn(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	d.withoutModel()
	d.press("R")
	d.sees("no model is chosen yet: M chooses one", "M choose the model")
	d.press("enter")
	d.sees("~ needs a model", "M chooses it", "M choose the model")
	d.misses("can't be repaired", "as asked", "built in: choose a provider")
	d.press("a")
	d.sees("no model is chosen", "M chooses one")
	d.chooseBuiltIn()
	d.sees("an estimate", "x run")
	d.press("x", "y", "a")
	d.sees("applied as #1")
}

// TestWhatNeedsNoModelIsAppliedWithoutOne: a repair of which a part needs a model can be
// applied as far as it goes, and says both.
func TestWhatNeedsNoModelIsAppliedWithoutOne(t *testing.T) {
	t.Parallel()
	d := driveSample(t, fakehost.Head, "marker-truncated")
	d.withoutModel()
	d.press("down", "R", "enter")
	d.sees("1 to be repaired, 1 waiting for a model", "a applies the rest · M chooses", "~ needs a model")
	d.press("a")
	d.sees("applied as #1", "✓ repaired")
}

// TestAChosenModelWithoutAKeySaysSo: choosing a model that can't be asked doesn't sound like
// success.
func TestAChosenModelWithoutAKeySaysSo(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	d.withModels(nil)
	d.press("M", "/")
	d.write("haiku")
	d.press("enter", "enter")
	d.sees("anthropic/claude-haiku-4-5 is chosen, and can't be asked yet: ")
	d.misses("summaries are made by")
}

// TestACompactionWithoutAModelNamesTheWayOn: what can't be applied says that M chooses a
// model, and after that the estimate is made again with it.
func TestACompactionWithoutAModelNamesTheWayOn(t *testing.T) {
	t.Parallel()
	d := driveWithModel(t, brief{})
	set := d.env.Summarizer
	d.withoutModel()
	unset := d.env.Summarizer
	d.env.Summarizer = func(ctx context.Context, chosen choose.Choice) (Summarizer, error) {
		s, _ := set(ctx, chosen)
		m, err := unset(ctx, chosen)
		s.Model = m.Model
		return s, err
	}
	d.press("C", "enter", "x", "y")
	d.sees("it can't be applied: no model is chosen · M chooses one")
	d.misses("a apply", "flag", "--provider")
	if why := d.app.Top().(*Review).Unsaved(); why != "" {
		t.Errorf("leaving asks about texts that can't be applied: %s", why)
	}
	d.chooseBuiltIn()
	d.sees("an estimate", "no model was called", "x run")
	d.press("x", "y", "a")
	d.sees("applied as #1")
}

// TestAnotherModelDoesNotTakePaidTextsUnasked: texts that a model was paid for go only after a
// yes when another model is chosen.
func TestAnotherModelDoesNotTakePaidTextsUnasked(t *testing.T) {
	t.Parallel()
	d := driveWithModel(t, brief{})
	d.withModels(nil)
	d.press("C", "enter", "x", "y")
	d.sees("a apply")
	d.chooseBuiltIn()
	d.sees("? plan it again with the other model?", "y yes, plan again · esc no")
	d.press("esc")
	d.sees("a apply", "the texts stay")
	d.press("a")
	d.sees("applied as #1")
}
