package shell

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/exp/golden"
	"github.com/google/go-cmp/cmp"

	"lcm-tui/ui"
)

func sample() *page {
	return &page{title: "root", actions: []ui.Action{
		ui.Act("d", "d", "dissolve").In("Change").InFooter(),
		ui.Act("r", "r", "rewrite").In("Change").InFooter(),
		ui.Act("w", "w", "rewrite subtree").In("Change").Off(false, "nothing is selected"),
		ui.Act("enter", "⏎", "open").In("Read").InFooter(),
		ui.Act("x", "x", "export").In("Read"),
	}}
}

func TestScreensStack(t *testing.T) {
	t.Parallel()
	root, child, other := sample(), &page{title: "child"}, &page{title: "other"}
	d := drive(t, Config{First: root})
	d.send(ui.PushMsg{Screen: child})
	d.sees("root › child")
	d.sees("body of child")
	d.send(ui.SwitchMsg{Screen: other})
	d.sees("root › other")
	d.press("esc")
	d.sees("root › child")
	d.press("esc")
	d.sees("body of root")
	d.send(ui.PopMsg{Screen: d.app.Top()})
	d.sees("body of root")
	if d.quit {
		t.Error("PopMsg at the root ended the program")
	}
}

// TestAScreenIsLeftOnce: a key that leaves a screen, pressed twice, does not leave the one below.
func TestAScreenIsLeftOnce(t *testing.T) {
	t.Parallel()
	below, child := &page{title: "below"}, &page{title: "child"}
	d := drive(t, Config{First: sample()})
	d.send(ui.PushMsg{Screen: below}, ui.PushMsg{Screen: child})
	d.send(ui.PopMsg{Screen: child}, ui.PopMsg{Screen: child})
	d.sees("root › below")
}

func TestEscClearsTheFilterFirst(t *testing.T) {
	t.Parallel()
	child := &page{title: "child", filter: true}
	d := drive(t, Config{First: sample()})
	d.send(ui.PushMsg{Screen: child})
	d.press("esc")
	if child.filter || d.app.Depth() != 2 {
		t.Fatalf("filter %v, depth %d", child.filter, d.app.Depth())
	}
	d.press("esc")
	if d.app.Depth() != 1 {
		t.Error("the second esc did not go back")
	}
}

func TestTypingTakesEveryKeyButCtrlC(t *testing.T) {
	t.Parallel()
	root := sample()
	root.typing = true
	root.actions = append(root.actions, ui.Act("enter", "⏎", "keep").In(ui.Typing).InFooter())
	d := drive(t, Config{First: root})
	d.press("q", "?", ":", "esc", "y", "D")
	if diff := cmp.Diff([]string{"q", "?", ":", "esc", "y", "D"}, root.keys); diff != "" {
		t.Error(diff)
	}
	d.send(tea.PasteMsg{Content: "pasted"})
	if diff := cmp.Diff([]tea.Msg{tea.PasteMsg{Content: "pasted"}}, root.msgs); diff != "" {
		t.Error(diff)
	}
	d.sees("⏎ keep")
	d.misses("dissolve")
	d.press("ctrl+c")
	d.until("the program ends", func() bool { return d.quit })
}

func TestPasteElsewhereMeansNothing(t *testing.T) {
	t.Parallel()
	root := sample()
	d := drive(t, Config{First: root})
	d.send(tea.PasteMsg{Content: "dddd"})
	if len(root.msgs)+len(root.keys) != 0 {
		t.Errorf("the screen got %v %v", root.msgs, root.keys)
	}
}

func TestFooterCutsAtWholeEntries(t *testing.T) {
	t.Parallel()
	root := sample()
	d := drive(t, Config{First: root})
	d.sees(" d dissolve  r rewrite  ⏎ open  : commands  ? help")
	d.misses("subtree")
	d.send(tea.WindowSizeMsg{Width: 32, Height: 24})
	foot := d.screen()[strings.LastIndex(d.screen(), "\n")+1:]
	if foot != " d dissolve  r rewrite  ? help" {
		t.Errorf("the footer is %q", foot)
	}
}

// legendPage is a page with marks.
type legendPage struct{ page }

func (p *legendPage) Legend() []ui.Sign {
	return []ui.Sign{{Mark: "●", Meaning: "in the context"}, {Mark: "!", Meaning: "damaged"}}
}

func TestHelpListsEveryKeyAndMark(t *testing.T) {
	t.Parallel()
	d := drive(t, Config{First: &legendPage{*sample()}})
	d.press("?")
	d.sees("This page is here to be tested.")
	d.sees("export")
	d.sees("rewrite subtree – nothing is")
	d.sees("●  in the context")
	golden.RequireEqual(t, d.screen())
	d.press("?")
	d.misses("This page")
}

// TestALongStatusIsShownInFull where the window has the room: its end says what to do.
func TestALongStatusIsShownInFull(t *testing.T) {
	t.Parallel()
	root := sample()
	root.actions = append(root.actions, ui.Act("R", "R", "repair").Off(false, "another file stands in the place of the one that was opened; open the file again with :db"))
	d := drive(t, Config{First: root})
	d.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	d.press("R")
	d.sees("~ R does nothing here: another file stands in the place of the one that was")
	d.sees("opened; open the file again with :db")
	d.send(ui.StatusMsg{Text: "1 text that a model wrote is not applied: kept for two weeks, and the same rewrite takes them without a call"})
	d.sees("takes them without a call")
	d.send(tea.WindowSizeMsg{Width: 80, Height: 12})
	d.misses("takes them without a call")
}

// TestAKeyThatIsOffSaysWhy: it doesn't reach the screen, unless another action has it.
func TestAKeyThatIsOffSaysWhy(t *testing.T) {
	t.Parallel()
	root := sample()
	root.actions = append(root.actions, ui.Act("x", "x", "expand").Off(false, "all is expanded"))
	d := drive(t, Config{First: root})
	d.press("w")
	d.sees("~ w does nothing here: nothing is selected")
	d.press("x")
	d.misses("nothing is selected")
	if diff := cmp.Diff([]string{"x"}, root.keys); diff != "" {
		t.Error(diff)
	}
}

// positionPage is a page with a place in what it shows.
type positionPage struct{ page }

func (p *positionPage) Position() string { return "12 of 4,147" }

func TestTheFooterEndsWithThePosition(t *testing.T) {
	t.Parallel()
	d := drive(t, Config{First: &positionPage{*sample()}})
	for _, c := range []struct {
		width int
		want  string
	}{
		{80, " d dissolve  r rewrite  ⏎ open  : commands  ? help                  12 of 4,147 "},
		{44, " d dissolve  r rewrite  ? help  12 of 4,147 "},
		{20, " d dissolve  ? help"},
	} {
		d.send(tea.WindowSizeMsg{Width: c.width, Height: 24})
		if foot := d.screen()[strings.LastIndex(d.screen(), "\n")+1:]; foot != c.want {
			t.Errorf("width %d: the footer is %q", c.width, foot)
		}
	}
}

func TestLongHelpScrolls(t *testing.T) {
	t.Parallel()
	root := sample()
	for i := range 60 {
		root.actions = append(root.actions, ui.Act("f1", "f1", fmt.Sprintf("action number %d with a long name", i)).In(fmt.Sprint("Group ", i/20)))
	}
	d := drive(t, Config{First: root})
	d.press("?")
	d.misses("number 59 ")
	d.press("end")
	d.sees("name")
	golden.RequireEqual(t, d.screen())
	d.send(tea.MouseWheelMsg{Button: tea.MouseWheelUp})
	d.sees("scroll")
	d.press("esc")
	d.misses("scroll")
}

// hinted is an error with a hint whose text leaves out its cause.
type hinted struct{ text, cause error }

func (h hinted) Error() string { return h.text.Error() }

func (h hinted) Unwrap() []error { return []error{h.text, h.cause} }

func (hinted) Hint() string { return "close the other program" }

func TestErrorStaysUntilAKey(t *testing.T) {
	t.Parallel()
	root := sample()
	d := drive(t, Config{First: root, Version: "v1.2.3"})
	inner := errors.New("database is locked")
	d.send(ui.ErrorMsg{Err: fmt.Errorf("apply plan: %w", hinted{inner, errors.New("disk I/O error (10)")})})
	d.send(ui.ChangedMsg{External: true})
	d.sees("! apply plan: database is locked · D details")
	d.sees("close the other program")
	d.press("D")
	for _, part := range []string{"What failed", "What to do next", "close the other program", "For a report of a bug", "lcm-tui v1.2.3 on ", "disk I/O error (10)"} {
		d.sees(part)
	}
	d.misses("shell.hinted")
	d.misses("wrapError")
	d.press("esc")
	d.send(ui.ErrorMsg{Err: inner})
	d.press("d")
	d.misses("locked")
	if diff := cmp.Diff([]string{"d"}, root.keys); diff != "" {
		t.Errorf("the key that put the error away did nothing else: %s", diff)
	}
	d.send(ui.ErrorMsg{Err: inner})
	d.press("esc")
	d.misses("locked")
	if d.app.quitting {
		t.Error("putting an error away with esc ended the program")
	}
}

func TestChangedReachesEveryScreen(t *testing.T) {
	t.Parallel()
	root, child := sample(), &page{title: "child"}
	d := drive(t, Config{First: root})
	d.send(ui.PushMsg{Screen: child})
	m := ui.ChangedMsg{Note: "applied as #12", Undo: true}
	d.send(m)
	for _, p := range []*page{root, child} {
		if diff := cmp.Diff([]tea.Msg{m}, p.msgs); diff != "" {
			t.Error(diff)
		}
	}
	d.sees("✓ applied as #12 · u undo")
	d.press("u")
	if diff := cmp.Diff([]string{"u"}, child.keys); diff != "" {
		t.Error(diff)
	}
}

func TestUndoOfTheProgram(t *testing.T) {
	t.Parallel()
	root, undone := sample(), 0
	d := drive(t, Config{First: root, Undo: func() tea.Cmd { undone++; return nil }})
	d.press("u")
	d.send(ui.ChangedMsg{Note: "applied", Undo: true})
	d.press("j", "u", "u")
	if diff := cmp.Diff([]string{"u", "j", "u"}, root.keys); diff != "" || undone != 1 {
		t.Errorf("undone %d times; %s", undone, diff)
	}
}

func TestCopy(t *testing.T) {
	t.Parallel()
	root := sample()
	d := drive(t, Config{First: root})
	d.press("y")
	root.copies = "sum_b4f8213d4eaa430f"
	_, cmd := d.app.Update(ui.Press("y"))
	if got := fmt.Sprint(cmd().(answerMsg).msg); got != root.copies {
		t.Errorf("the clipboard got %q", got)
	}
	d.sees("copied sum_b4f8213d4eaa430f")
	if diff := cmp.Diff([]string{"y"}, root.keys); diff != "" {
		t.Errorf("with nothing to copy y is the screen's: %s", diff)
	}
}

func TestMouseCountsFromTheBody(t *testing.T) {
	t.Parallel()
	root := sample()
	d := drive(t, Config{First: root})
	d.send(
		tea.MouseClickMsg{X: 3, Y: 0, Button: tea.MouseLeft},
		tea.MouseClickMsg{X: 3, Y: 5, Button: tea.MouseLeft},
		tea.MouseMotionMsg{X: 3, Y: 5},
		tea.MouseClickMsg{X: 3, Y: 23, Button: tea.MouseLeft},
	)
	want := []tea.Msg{tea.MouseClickMsg{X: 3, Y: 4, Button: tea.MouseLeft}}
	if diff := cmp.Diff(want, root.msgs); diff != "" {
		t.Error(diff)
	}
	d.press("?")
	d.send(tea.MouseClickMsg{X: 40, Y: 12, Button: tea.MouseLeft})
	d.sees("This page is here")
	d.send(tea.MouseClickMsg{X: 0, Y: 0, Button: tea.MouseLeft})
	d.misses("This page is here")
}

func TestHeader(t *testing.T) {
	t.Parallel()
	root := &page{title: "lcm.db"}
	d := drive(t, Config{First: root, Header: func() Header {
		return Header{Program: "lcm-tui", Right: "lossless-claw 0.15 · read-only"}
	}})
	d.send(ui.PushMsg{Screen: &page{title: "agent:main:telegram:direct:42"}}, ui.PushMsg{Screen: &page{title: "Summaries"}}, ui.PushMsg{Screen: &page{title: "Review"}})
	var out []string
	for _, w := range []int{110, 80, 60, 40, 24} {
		d.send(tea.WindowSizeMsg{Width: w, Height: 6})
		out = append(out, strings.SplitN(d.screen(), "\n", 2)[0])
	}
	golden.RequireEqual(t, strings.Join(out, "\n"))
	if got := d.app.View().WindowTitle; got != "lcm-tui · Review" {
		t.Errorf("the window is called %q", got)
	}
}

func TestNoSizeIsTooSmall(t *testing.T) {
	t.Parallel()
	d := drive(t, Config{First: sample(), Header: func() Header { return Header{Program: "lcm-tui", Right: "x"} }})
	d.send(ui.ErrorMsg{Err: hinted{text: errors.New("broken"), cause: errors.New("a page")}})
	for _, open := range []string{"", "?", ":"} {
		if open != "" {
			d.press("esc", open)
		}
		for w := range 12 {
			for h := range 8 {
				d.send(tea.WindowSizeMsg{Width: w, Height: h})
				got := d.app.View().Content
				if gw, gh := lipgloss.Width(got), strings.Count(got, "\n")+1; gw > w || gh > max(1, h) {
					t.Fatalf("%d×%d cells were drawn in %d×%d", gw, gh, w, h)
				}
			}
		}
	}
}

func TestOnlyMouseMotionIsDropped(t *testing.T) {
	t.Parallel()
	if DropMouseMotion(nil, tea.MouseMotionMsg{}) != nil || DropMouseMotion(nil, ui.ShownMsg{}) == nil {
		t.Error("the filter drops the wrong messages")
	}
}

func TestBackgroundChoosesTheStyles(t *testing.T) {
	t.Parallel()
	s := ui.NewStyles(true)
	d := drive(t, Config{First: sample(), Styles: &s})
	d.send(tea.BackgroundColorMsg{Color: hexWhite{}})
	if s.DarkBackground {
		t.Error("the styles are dark on a white background")
	}
}

type hexWhite struct{}

func (hexWhite) RGBA() (r, g, b, a uint32) { return 0xffff, 0xffff, 0xffff, 0xffff }

func TestWatch(t *testing.T) {
	t.Parallel()
	root, calls := sample(), make(chan int, 9)
	d := drive(t, Config{First: root, Poll: time.Millisecond, Watch: func(ctx context.Context) (bool, error) {
		select {
		case n := <-calls:
			if n == 2 {
				return false, errors.New("the file is gone")
			}
			return n == 1, nil
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}})
	calls <- 1
	d.until("the screen reloads", func() bool { return len(root.msgs) == 1 })
	if diff := cmp.Diff(tea.Msg(ui.ChangedMsg{External: true}), root.msgs[0]); diff != "" {
		t.Error(diff)
	}
	d.sees("●")
	d.app.jobs.Now = func() time.Time { return time.Now().Add(pulseDuration) }
	d.misses("●")
	calls <- 2
	d.until("the error shows", func() bool { return d.app.status.err != nil })
	d.press("j")
	calls <- 2
	calls <- 2
	d.settle()
	d.misses("gone")
	d.press("ctrl+r")
	calls <- 2
	d.until("the error shows again", func() bool { return d.app.status.err != nil })
	reloads := len(root.msgs)
	calls <- 3
	d.until("the screen reloads what failed meanwhile", func() bool { return len(root.msgs) == reloads+1 })
	d.misses("●")
	calls <- 3
	d.settle()
	if len(root.msgs) != reloads+1 {
		t.Error("the screen reloads though nothing has changed")
	}
}

// TestErrorsThatCameTogetherStandApart, and each of them once.
func TestErrorsThatCameTogetherStandApart(t *testing.T) {
	t.Parallel()
	d := drive(t, Config{First: &page{title: "one"}})
	gone := errors.New("count messages: no answer")
	d.send(ui.ErrorMsg{Err: errors.Join(gone, gone, errors.New("count files: no answer"))})
	d.sees("! count messages: no answer; count files: no answer · D details")
}

// TestTheKeyOfAnErrorStandsBehindIt: not in the middle of a sentence that takes two lines.
func TestTheKeyOfAnErrorStandsBehindIt(t *testing.T) {
	t.Parallel()
	d := drive(t, Config{First: &page{title: "one"}})
	d.send(ui.ErrorMsg{Err: errors.New("nothing of what is wrong with conversation 5 of this file can be repaired as asked")})
	d.sees("repaired as asked · D details")
}
