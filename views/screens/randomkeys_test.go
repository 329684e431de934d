package screens

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/engine/integrity"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ui"
	"lcm-tui/views/viewtest"
)

// TestRandomKeys presses keys at random while what the program has begun goes on, so that results come late and in any order. Nothing
// panics, every screen fits its window and holds nothing but text, what is written breaks nothing, and esc leads back to the first screen.
// LCM_RANDOM_KEYS=100-200 presses 600 keys for each of these seeds.
func TestRandomKeys(t *testing.T) { //nolint:paralleltest // Exports go to the folder that it is in.
	from, to, steps := uint64(0), uint64(3), 120
	if testlength.Short() {
		to = 1
	}
	if seeds := os.Getenv("LCM_RANDOM_KEYS"); seeds != "" {
		steps = 600
		if _, err := fmt.Sscanf(seeds, "%d-%d", &from, &to); err != nil {
			t.Fatal(err)
		}
	}
	pending := viewtest.PendingFile(t)
	t.Chdir(t.TempDir())
	for seed := from; seed < to; seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			var d *viewtest.Driver
			switch seed % 3 {
			case 0:
				d = viewtest.DriveWithModel(t, viewtest.Brief{})
				d.WithModels(map[string]string{"OPENAI_API_KEY": "k", "LCM_TUI_SUMMARY_PROVIDER": "openai"})
			case 1:
				d = viewtest.DriveSample(t, fakehost.Head, "context-double", "marker-truncated")
			default:
				d = viewtest.DriveFile(t, pending)
			}
			u := &randomUser{Driver: d, r: rand.New(rand.NewPCG(seed, 7)), results: make(chan tea.Msg, 1_000), width: 120, height: 36}
			defer func() {
				if p := recover(); p != nil {
					t.Fatalf("panic: %v after %q\n%s", p, u.done, debug.Stack())
				}
			}()
			was := u.errors()
			for range steps {
				for range u.r.IntN(3) {
					u.receive(time.Duration(u.r.IntN(20)) * time.Millisecond)
				}
				u.step()
				u.look()
			}
			isFirst := func() bool { return u.Quit || strings.Contains(u.Screen(120, 36), "show: ") }
			for n := 0; n < 40 && !isFirst(); n++ {
				u.take(ui.Press("esc"))
				for u.receive(50 * time.Millisecond) {
				}
			}
			if !isFirst() {
				t.Errorf("esc doesn't lead back after %q:\n%s", u.done, u.Screen(120, 36))
			}
			if is := u.errors(); is > was {
				t.Errorf("%d errors in the file, and %d before, after %q", is, was, u.done)
			}
		})
	}
}

// TestNoOtherKeyApplies: on a review no key but those that apply and undo, no click and no paste changes the database.
func TestNoOtherKeyApplies(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	d := viewtest.DriveDemo(t)
	d.OpenReview()
	was, review := d.Dump(), d.App.Top()
	keys := append(strings.Split("bcdefghijklmnoprstvwxyzBCDEFGHIJKLMNOPRSTVXYZ#+-.;<>=*!", ""), "enter", "space", "tab", "backspace", "delete", "ctrl+x", "ctrl+r")
	for _, k := range keys {
		d.Press(k, "enter")
		d.Send(tea.MouseClickMsg{X: 5, Y: 8, Button: tea.MouseLeft}, tea.PasteMsg{Content: "a\ny\n"})
		for n := 0; n < 5 && d.App.Top() != review; n++ {
			d.Press("esc")
		}
		if d.App.Top() != review {
			d.Press("esc", "esc", "esc")
			d.OpenReview()
			review = d.App.Top()
		}
	}
	if d.Dump() != was {
		t.Errorf("the database is another one:\n%s", d.Screen(120, 36))
	}
}

// randomUser presses keys without any plan.
type randomUser struct {
	*viewtest.Driver
	r             *rand.Rand
	results       chan tea.Msg
	done          []string
	width, height int
}

// take gives the program a message, and begins what it asks for.
func (u *randomUser) take(msg tea.Msg) {
	switch m := msg.(type) {
	case nil:
	case tea.QuitMsg:
		u.Quit = true
	case tea.BatchMsg:
		for _, cmd := range m {
			u.begin(cmd)
		}
	default:
		_, cmd := u.App.Update(msg)
		u.begin(cmd)
	}
}

func (u *randomUser) begin(cmd tea.Cmd) {
	if cmd != nil {
		go func() { u.results <- cmd() }()
	}
}

// receive gives the program the next result, if it comes in time.
func (u *randomUser) receive(in time.Duration) bool {
	select {
	case msg := <-u.results:
		u.take(msg)
		return true
	case <-time.After(in):
		return false
	}
}

// likelyKeys are pressed more often than others.
var likelyKeys = strings.Fields("enter enter enter esc tab up down down left right pgup pgdown home end space backspace y a s m c d r R C w X F h z t g v 1 2 e . ctrl+x ctrl+p ctrl+s")

// pastes are texts that a user may paste, some of them hostile.
var pastes = []string{
	"deploy", "a\nb\x1b[31mc\x1b]0;x\a", "日本語", "", "-1", "99999999999999999999", "\u202eabc\u2066", "1\ufe0f\u20e3", "((", "re:(a+)+$", "\"", "a OR",
	"\x00\xff\xfe", "/tmp/none", "'; DROP TABLE x;--", strings.Repeat("e\u0301", 300),
}

// step does one thing at random. It doesn't quit.
func (u *randomUser) step() {
	x, y := u.r.IntN(u.width), u.r.IntN(u.height)
	var msg tea.Msg
	switch n := u.r.IntN(40); {
	case n == 0:
		u.width, u.height = 20+u.r.IntN(231), 5+u.r.IntN(66)
		if u.r.IntN(9) == 0 {
			u.width, u.height = 1, 1
		}
		msg = tea.WindowSizeMsg{Width: u.width, Height: u.height}
	case n == 1:
		msg = tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft}
	case n == 2:
		msg = tea.MouseWheelMsg{X: x, Y: y, Button: []tea.MouseButton{tea.MouseWheelDown, tea.MouseWheelUp}[u.r.IntN(2)]}
	case n == 3:
		msg = tea.PasteMsg{Content: pastes[u.r.IntN(len(pastes))]}
	case n < 6:
		msg = ui.ChangedMsg{External: u.r.IntN(2) == 0}
	case n < 20:
		msg = ui.Press(likelyKeys[u.r.IntN(len(likelyKeys))])
	default:
		msg = ui.Press(string(rune('!' + u.r.IntN('~'-'!'))))
	}
	if k, ok := msg.(tea.KeyPressMsg); ok && (k.String() == "q" || k.String() == "Q") {
		msg = ui.Press("esc")
	}
	u.done = append(u.done, fmt.Sprint(msg))
	u.take(msg)
}

// look draws the screen.
func (u *randomUser) look() {
	u.Clean(u.width, u.height)
	got := u.Screen(u.width, u.height)
	if n := strings.Count(got, "\n") + 1; n != u.height || strings.Contains(got, "internal error") {
		u.T.Fatalf("%d lines of %d after %q:\n%s", n, u.height, u.done, got)
	}
}

// errors counts what is wrong with the file.
func (u *randomUser) errors() (n int) {
	d, err := integrity.Check(u.T.Context(), u.Env.DB, integrity.Request{}, nil)
	testdb.Must(u.T, err)
	for _, f := range d.Findings {
		if f.Severity.AtLeast(integrity.Error) {
			n++
		}
	}
	return n
}
