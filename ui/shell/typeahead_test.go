package shell

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"

	"lcm-tui/ui"
)

// burst gives the program keys in one go: no command answers in between.
func (d *driver) burst(names ...string) {
	for _, n := range names {
		d.send(ui.Press(n))
	}
}

// typed keys, and what they have to leave.
var burstAfterOpening = []string{"o", "d", "e", "p", "enter", "x"}

// openings are the ways in which a key opens a screen. release lets the slow ones go on.
func openings(d **driver, child ui.Screen, release <-chan struct{}) map[string]func() tea.Cmd {
	slow := func(msg tea.Msg) ui.Work {
		return func(ctx context.Context, _ func(int, int, string)) (tea.Msg, error) {
			select {
			case <-release:
				return msg, nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
	}
	push := ui.PushMsg{Screen: child}
	return map[string]func() tea.Cmd{
		"by a message":           func() tea.Cmd { return ui.Say(push) },
		"in place of the screen": func() tea.Cmd { return ui.Say(ui.SwitchMsg{Screen: child}) },
		"by one of several":      func() tea.Cmd { return tea.Batch(ui.Say(ui.StatusMsg{Text: "opening"}), ui.Say(push)) },
		"by batches in batches": func() tea.Cmd {
			return tea.Batch(nil, tea.Batch(ui.Say(ui.StatusMsg{}), tea.Batch(ui.Say(push), ui.Say(ui.StatusMsg{}))))
		},
		"by another key":           func() tea.Cmd { return ui.Say(ui.Press("O")) },
		"by a message of its own":  func() tea.Cmd { return ui.Say(ownMsg{push}) },
		"by a slow job":            func() tea.Cmd { return (*d).app.jobs.Open((*d).app.Top(), "open", slow(push)) },
		"by what a slow job found": func() tea.Cmd { return (*d).app.jobs.Open((*d).app.Top(), "open", slow(ownMsg{push})) },
	}
}

// ownMsg is a message of a screen, which answers with what is in it.
type ownMsg struct{ next tea.Msg }

// opener is a screen that opens another by o.
type opener struct {
	page
	open func() tea.Cmd
}

func (p *opener) Update(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case ownMsg:
		return ui.Say(m.next)
	case tea.KeyPressMsg:
		p.keys = append(p.keys, m.String())
		if m.String() == "o" {
			return p.open()
		}
		if m.String() == "O" {
			return ui.Say(ui.PushMsg{Screen: p.page.msgs[0].(ui.PushMsg).Screen})
		}
	}
	return nil
}

// TestKeysGoToTheScreenThatWasAskedFor types at once, in two bursts and one by one: the keys after the
// one that opens a screen go there, all of them, in their order, however late it comes.
func TestKeysGoToTheScreenThatWasAskedFor(t *testing.T) {
	t.Parallel()
	for name := range openings(nil, nil, nil) {
		for pace, write := range map[string]func(*driver){
			"at once": func(d *driver) { d.burst(burstAfterOpening...) },
			"in bursts": func(d *driver) {
				d.burst(burstAfterOpening[:3]...)
				d.settle()
				d.burst(burstAfterOpening[3:]...)
			},
			"slowly": func(d *driver) {
				for _, k := range burstAfterOpening {
					d.burst(k)
					d.settle()
				}
			},
		} {
			t.Run(name+" "+pace, func(t *testing.T) {
				t.Parallel()
				release := make(chan struct{})
				var d *driver
				child := &page{title: "child"}
				root := &opener{page: page{title: "root", msgs: []tea.Msg{ui.PushMsg{Screen: child}}}}
				root.open = openings(&d, child, release)[name]
				d = drive(t, Config{First: root})
				write(d)
				close(release)
				d.until("the keys arrived", func() bool { return len(child.keys) == len(burstAfterOpening)-1 })
				if diff := cmp.Diff(burstAfterOpening[1:], child.keys); diff != "" {
					t.Error(diff)
				}
				if got := strings.Join(root.keys, ""); strings.Trim(got, "oO") != "" {
					t.Errorf("the screen before got %q", got)
				}
			})
		}
	}
}

// waiting is a program in which o starts a job that opens a screen.
func waiting(t *testing.T, work ui.Work) (*driver, *page) {
	t.Helper()
	root := &page{title: "root"}
	var d *driver
	root.onKey = func(k string) tea.Cmd {
		if k != "o" {
			return nil
		}
		return d.app.jobs.Open(root, "plan", work)
	}
	d = drive(t, Config{First: root})
	return d, root
}

func TestEscCancelsTheJobForWhichKeysWait(t *testing.T) {
	t.Parallel()
	d, root := waiting(t, hang)
	d.burst("o")
	d.settle()
	d.burst("x", "y", "esc")
	d.until("the job has ended", func() bool { return !d.app.jobs.Running(root, "plan") })
	d.sees("plan cancelled")
	d.burst("z")
	if diff := cmp.Diff([]string{"o", "z"}, root.keys); diff != "" {
		t.Error(diff)
	}
}

func TestCtrlCQuitsWhileKeysWait(t *testing.T) {
	t.Parallel()
	d, _ := waiting(t, hang)
	d.burst("o", "x", "ctrl+c")
	d.until("the program ends", func() bool { return d.quit })
}

// TestKeysForAScreenThatDoesNotComeAreDropped: they don't go to the screen before.
func TestKeysForAScreenThatDoesNotComeAreDropped(t *testing.T) {
	t.Parallel()
	d, root := waiting(t, answer(nil, errors.New("the file is gone")))
	d.burst("o", "x", "y")
	d.until("the error shows", func() bool { return strings.Contains(d.screen(), "the file is gone") })
	d.burst("z")
	if diff := cmp.Diff([]string{"o", "z"}, root.keys); diff != "" {
		t.Error(diff)
	}
}

// TestKeysWaitNotForLong: a job that takes longer than a moment leaves the keys to the screen. Those that
// waited are dropped, and the status line says so.
func TestKeysWaitNotForLong(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d, root := waiting(t, hang)
		d.burst("o", "x", "y")
		d.until("the keys are dropped", func() bool { return len(d.app.ahead.held) == 0 && d.app.ahead.awaited == 0 })
		if waited := d.app.jobs.Elapsed(d.app.jobs.Visible(root)); waited < holdAtMost || waited > holdAtMost+time.Second {
			t.Errorf("they waited for %v", waited)
		}
		d.sees("2 keys ignored: the screen takes longer")
		d.burst("z")
		if diff := cmp.Diff([]string{"o", "z"}, root.keys); diff != "" {
			t.Error(diff)
		}
		if !d.app.jobs.Running(root, "plan") {
			t.Error("the job has ended")
		}
		d.app.jobs.Close()
	})
}

// TestALateScreenIgnoresKeysForAMoment: keys that are on their way when the screen comes after all were
// meant for the screen before.
func TestALateScreenIgnoresKeysForAMoment(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		child, release := &page{title: "child"}, make(chan struct{})
		d, root := waiting(t, func(context.Context, func(int, int, string)) (tea.Msg, error) {
			<-release
			return ui.PushMsg{Screen: child}, nil
		})
		d.burst("o", "x")
		d.until("no key waits any more", func() bool { return !d.app.ahead.holds() })
		d.burst("j")
		close(release)
		d.until("the screen is there", func() bool { return d.app.Top() == ui.Screen(child) })
		d.burst("a")
		time.Sleep(ignoreKeysFor)
		d.settle()
		d.burst("k")
		if diff := cmp.Diff([][]string{{"o", "j"}, {"k"}}, [][]string{root.keys, child.keys}); diff != "" {
			t.Error(diff)
		}
		d.app.jobs.Close()
	})
}

// TestWhatNobodySawIsNotDone: a key that was typed before a screen or a question was there doesn't apply
// anything, nor do the keys behind it. Pressed again it does.
func TestWhatNobodySawIsNotDone(t *testing.T) {
	t.Parallel()
	asked := func(done *[]string) tea.Cmd {
		return ui.Say(ui.AskMsg{Title: "Really?", Verb: "apply it", Do: func() tea.Cmd { *done = append(*done, "y"); return nil }})
	}
	for name, open := range map[string]func(child *page) tea.Cmd{
		"a screen":   func(child *page) tea.Cmd { return ui.Say(ui.PushMsg{Screen: child}) },
		"a question": func(child *page) tea.Cmd { return asked(&child.keys) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			apply := map[string]string{"a screen": "a", "a question": "y"}[name]
			child := &page{title: "child", actions: []ui.Action{ui.Act("a", "a", "apply it").OnSight()}}
			root := &opener{page: page{title: "root"}, open: func() tea.Cmd { return open(child) }}
			d := drive(t, Config{First: root})
			d.burst("o", "j", apply, "x")
			d.settle()
			if slices.Contains(child.keys, apply) || slices.Contains(child.keys, "x") {
				t.Errorf("typed ahead: the keys %q arrived", child.keys)
			}
			if !strings.Contains(d.screen(), apply+" was typed before this was shown") {
				t.Errorf("nothing says why:\n%s", d.screen())
			}
			d.burst(apply)
			d.settle()
			if !slices.Contains(child.keys, apply) {
				t.Errorf("on sight: the keys %q arrived", child.keys)
			}
		})
	}
}
