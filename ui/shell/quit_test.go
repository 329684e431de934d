package shell

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/ui"
)

// placedPage is a page with a cursor that comes back.
type placedPage struct {
	page
	cursor int
	inits  int
}

func (p *placedPage) Init() tea.Cmd { p.inits++; return nil }

func (p *placedPage) Place() func() tea.Cmd {
	cursor := p.cursor
	return func() tea.Cmd { p.cursor = cursor; return nil }
}

func TestBackReturnsToThePlaceThatWasLeft(t *testing.T) {
	t.Parallel()
	messages, summaries := &placedPage{page: page{title: "messages"}}, &placedPage{page: page{title: "summaries"}}
	d := drive(t, Config{First: sample()})
	d.send(ui.PushMsg{Screen: messages})
	messages.cursor = 7
	d.send(ui.SwitchMsg{Screen: summaries})
	summaries.cursor = 3
	messages.cursor = 99 // A jump moves the screen before it switches to it.
	d.send(ui.SwitchMsg{Screen: messages})
	summaries.cursor = 50
	d.send(ui.SwitchMsg{Screen: summaries})
	for _, want := range []struct {
		title string
		m, s  int
		mInit int
	}{{"messages", 99, 50, 3}, {"summaries", 99, 3, 3}, {"messages", 7, 3, 4}} {
		d.press("esc")
		if got := d.app.Top().Title(); got != want.title || messages.cursor != want.m || summaries.cursor != want.s || messages.inits != want.mInit {
			t.Errorf("back leads to %s with cursors %d and %d after %d loads, want %+v", got, messages.cursor, summaries.cursor, messages.inits, want)
		}
	}
	d.press("esc")
	d.sees("body of root")
}

// TestBackReturnsOnceFromEachTab: tabs that are gone through several times take one step each on the way back.
func TestBackReturnsOnceFromEachTab(t *testing.T) {
	t.Parallel()
	tabs := map[string]*page{"messages": {title: "messages"}, "summaries": {title: "summaries"}, "context": {title: "context"}}
	d := drive(t, Config{First: sample()})
	d.send(ui.PushMsg{Screen: tabs["messages"]})
	for _, name := range []string{"summaries", "context", "summaries", "messages", "context", "summaries", "messages"} {
		d.send(ui.SwitchMsg{Screen: tabs[name], Once: true})
	}
	for _, want := range []string{"summaries", "context", "root"} {
		d.press("esc")
		if got := d.app.Top().Title(); got != want {
			t.Fatalf("back leads to %s, wanted %s", got, want)
		}
	}
}

func TestASwitchOfTheFirstScreenCanBeGoneBack(t *testing.T) {
	t.Parallel()
	d := drive(t, Config{First: sample()})
	d.send(ui.SwitchMsg{Screen: &page{title: "other"}})
	d.press("q")
	d.sees("body of root")
	if d.app.quitting {
		t.Error("q quit instead of going back")
	}
}

func TestHomeGoesToTheFirstScreen(t *testing.T) {
	t.Parallel()
	d := drive(t, Config{First: sample()})
	d.send(ui.PushMsg{Screen: &page{title: "a"}}, ui.PushMsg{Screen: &page{title: "b"}}, ui.HomeMsg{})
	d.sees("body of root")
}

func TestEscNeverQuits(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"esc", "b", "backspace"} {
		t.Run(key, func(t *testing.T) {
			t.Parallel()
			d := drive(t, Config{First: sample()})
			d.send(ui.PushMsg{Screen: &page{title: "child"}})
			d.press(key)
			d.sees("body of root")
			d.press(key, key)
			if d.quit || d.app.quitting {
				t.Errorf("%s ends the program", key)
			}
			d.sees("q quits")
		})
	}
}

func TestQGoesBackAndQuitsOnTheFirstScreen(t *testing.T) {
	t.Parallel()
	d := drive(t, Config{First: sample()})
	d.send(ui.PushMsg{Screen: &page{title: "child", filter: true}})
	d.press("q")
	d.sees("body of child") // Like esc it clears the filter first.
	d.press("q")
	d.sees("body of root")
	d.press("q")
	d.until("the program ends", func() bool { return d.quit })
}

// TestAPressAfterClosingNeverQuits: the key may have been pressed once more than was needed.
func TestAPressAfterClosingNeverQuits(t *testing.T) {
	t.Parallel()
	for name, closing := range map[string][]string{
		"help by q": {"?", "q"}, "help by esc": {"?", "esc"}, "palette": {":", "esc"}, "filter": {"esc"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := sample()
			root.filter = name == "filter"
			d := drive(t, Config{First: root})
			d.press(closing...)
			d.press("q")
			if d.app.quitting {
				t.Fatal("the program quits")
			}
			d.sees("q again quits")
			d.press("q")
			d.until("the program ends", func() bool { return d.quit })
		})
	}
}

// unsavedPage is a page with work that would be lost.
type unsavedPage struct {
	page
	unsaved string
}

func (p *unsavedPage) Unsaved() string { return p.unsaved }

func TestQAsksWhileSomethingWouldBeLost(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		want  string
		start func(d *driver, root *unsavedPage)
	}{
		"a job": {"compact is running: quitting cancels it.", func(d *driver, root *unsavedPage) {
			d.run(d.app.jobs.Start(root, "compact", hang))
		}},
		"unapplied texts of a screen": {"3 texts are not applied", func(_ *driver, root *unsavedPage) {
			root.unsaved = "3 texts are not applied"
		}},
		"unapplied texts of the program": {"a text was paid for", func(d *driver, _ *unsavedPage) {
			d.app.cfg.Unsaved = func() string { return "a text was paid for" }
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := &unsavedPage{page: page{title: "root"}}
			d := drive(t, Config{First: root})
			c.start(d, root)
			d.press("q")
			d.sees("Quit lcm-tui?")
			d.sees(c.want)
			d.press("q", "enter")
			if d.app.quitting {
				t.Fatal("a key that is held down says yes")
			}
			d.press("esc")
			d.misses("Quit lcm-tui?")
			d.press("q", "q") // The first may have been meant for the question.
			d.press("y")
			d.until("the program ends", func() bool { return d.quit })
		})
	}
}

// TestARestartAsksInItsOwnWords, and its last step runs only when it is sure.
func TestARestartAsksInItsOwnWords(t *testing.T) {
	t.Parallel()
	root := &unsavedPage{page: page{title: "root"}, unsaved: "3 texts are not applied"}
	d := drive(t, Config{First: root})
	sure := 0
	restart := ui.RestartMsg{Question: "Open another file?", Verb: "open it", Before: func() { sure++ }}
	d.send(restart)
	d.sees("Open another file?")
	d.sees("3 texts are not applied")
	d.press("esc")
	if sure != 0 || d.app.Restart() {
		t.Fatal("without a yes it goes on")
	}
	root.unsaved = ""
	d.send(restart)
	d.until("the program ends", func() bool { return d.quit })
	if sure != 1 || !d.app.Restart() {
		t.Errorf("%d times sure, restart %v", sure, d.app.Restart())
	}
}

func TestQDoesNotAskAboutAJobThatOnlyReads(t *testing.T) {
	t.Parallel()
	root := sample()
	d := drive(t, Config{First: root})
	d.run(d.app.jobs.Read(root, "load", hang))
	d.press("q")
	d.until("the program ends", func() bool { return d.quit })
}
