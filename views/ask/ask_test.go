package ask_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"lcm-tui/engine/ask"
	"lcm-tui/engine/model/choose"
	"lcm-tui/internal/testlength"
	"lcm-tui/ui"
	"lcm-tui/views"
	"lcm-tui/views/viewtest"
)

// navigator is a model that reads nothing and answers what a test wants.
type navigator func(context.Context, ask.Task) (ask.Answer, error)

func (navigator) Name() string { return "openai/fake" }

func (n navigator) Navigate(ctx context.Context, t ask.Task) (ask.Answer, error) { return n(ctx, t) }

// driveWith opens the demonstration, in which a model answers questions.
func driveWith(t *testing.T, n navigator) *viewtest.Driver {
	t.Helper()
	d := viewtest.DriveDemo(t)
	d.WithModels(map[string]string{"OPENAI_API_KEY": "k", "LCM_TUI_SUMMARY_PROVIDER": "openai"})
	d.Env.Asker = func(choose.Choice) (*ask.Asker, error) { return &ask.Asker{Navigator: n}, nil }
	return d
}

// write types a question and sends it.
func write(d *viewtest.Driver, question string) {
	d.T.Helper()
	d.Write(question)
	d.Press("enter")
}

// TestPassagesAreQuotedWithoutAModel, and said to be so. What they are from is listed with the messages that fit, and leads there and back.
func TestPassagesAreQuotedWithoutAModel(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	d := viewtest.DriveDemo(t)
	d.Press("A")
	d.Sees("Ask in your own words", "in all conversations", "after that M chooses one")
	write(d, "Which edit to deploy/alerting/routes.yml was made?")
	d.Sees("No model was used: these passages are quoted", "relies on", "summaries read")
	answer := d.Screen(120, 36)
	d.Press("down")
	d.Press("enter")
	d.Sees("› Messages")
	if _, ok := d.App.Top().(interface{ ConversationID() int64 }); !ok {
		t.Errorf("enter opened %T", d.App.Top())
	}
	d.Press("esc")
	if got := d.Screen(120, 36); !strings.Contains(got, "Which edit to deploy/alerting") || strings.Count(got, "sum_") != strings.Count(answer, "sum_") {
		t.Errorf("the answer is gone:\n%s", got)
	}
	d.Press("g", "enter")
	d.Sees("› Summaries")
}

// TestAModelIsAskedAfterAYes: the question says what is asked and where; the answer says who gave it.
func TestAModelIsAskedAfterAYes(t *testing.T) {
	t.Parallel()
	asked := 0
	d := driveWith(t, func(_ context.Context, task ask.Task) (ask.Answer, error) {
		asked++
		return ask.Answer{Text: "It was **closed**, on port 18790.\x1b]0;pwned\a", Cited: task.Seeds[:1], Expanded: 1, SourceTokens: 900}, nil
	})
	d.Open(2, views.TabMessages)
	d.Press("A")
	d.Sees("in Tidewater #2", "by openai/")
	write(d, "Is the queue closed?")
	d.Sees("Ask openai/", "no price can be said before")
	if d.Press("esc"); asked != 0 {
		t.Fatal("it was asked without a yes")
	}
	d.Sees("Is the queue closed?") // The question stays.
	d.Press("enter", "y")
	d.Sees("It was closed, on port 18790.", "1 summary read, 900t", "answered by openai/fake")
	if raw := d.Raw(120, 36); strings.Contains(raw, "pwned") && strings.Contains(raw, "\x1b]0;") {
		t.Error("an escape sequence of the answer reaches the terminal")
	}
	if asked != 1 {
		t.Errorf("it was asked %d times", asked)
	}
	if got := d.App.Top().(ui.Copier).Copy(); !strings.HasPrefix(got, "It was **closed**") {
		t.Errorf("y copies %q", got)
	}
}

// TestAQuestionIsCancelled: what was read until then stays on the page, and it can be asked again.
func TestAQuestionIsCancelled(t *testing.T) {
	t.Parallel()
	var d *viewtest.Driver
	d = driveWith(t, func(ctx context.Context, _ ask.Task) (ask.Answer, error) {
		d.Env.Jobs.Unfinished()[0].Stop() // As esc does.
		<-ctx.Done()
		return ask.Answer{}, ctx.Err()
	})
	d.Open(2, views.TabMessages)
	d.Press("A")
	write(d, "Is the queue closed?")
	d.Press("y")
	d.Sees("it was ended before there was an answer", "/ asks again")
	d.Press("/", "up")
	d.Sees("Ask Is the queue closed?")
}

// TestAModelThatFails leaves words on what to do; one that can't be asked at all leaves passages.
func TestAModelThatFails(t *testing.T) {
	t.Parallel()
	d := driveWith(t, func(context.Context, ask.Task) (ask.Answer, error) {
		return ask.Answer{}, &ask.PhaseError{Phase: ask.PhaseWait, Err: errors.New("the vendor is overloaded")}
	})
	d.Press("A")
	write(d, "Is the queue closed?")
	d.Press("y")
	d.Sees("the vendor is overloaded", "M chooses")
	d.Misses("relies on")
	d.Env.Asker = func(choose.Choice) (*ask.Asker, error) { return nil, errors.New("the key is not set") }
	d.Press("/")
	write(d, "Is the queue closed?")
	d.Press("y")
	d.Sees("no model could be asked: the key is not set", "No model was used: these passages are quoted")
}

// TestNothingFits: other words are asked for.
func TestNothingFits(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	d.Press("A", "enter")
	d.Sees("a question is needed")
	write(d, "xyzzyplugh")
	d.Sees("ask with other words, or search the messages too: F")
	d.Misses("summaryIds")
}

// TestWhichConversationsAreAsked: the one of the screen, those that are marked, or all.
func TestWhichConversationsAreAsked(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	d.Press("space", "space", "A")
	d.Sees("in 2 marked conversations")
	d.Press("alt+i")
	d.Sees("in all conversations")
	d.Press("alt+i")
	d.Sees("in 2 marked conversations")
	write(d, "What was decided?")
	d.Clean(80, 24)
	d.Clean(120, 36)
	d.Clean(200, 50)
}

// TestAskFromThePalette by its word.
func TestAskFromThePalette(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	d.Palette("ask")
	d.Press("enter")
	d.Sees("Ask in your own words")
	d.Press("esc")
	d.Sees("8 conversations")
}
