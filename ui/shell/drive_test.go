package shell

import (
	"context"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"lcm-tui/ui"
)

// driver is the loop of a program without a terminal: commands run in
// goroutines, messages are handled one by one by the test.
type driver struct {
	t    *testing.T
	app  *App
	in   chan tea.Msg
	quit bool
}

// drive starts a program of 80×24 that shows first.
func drive(t *testing.T, cfg Config) *driver {
	t.Helper()
	if cfg.Jobs == nil {
		cfg.Jobs = ui.NewJobs(t.Context())
	}
	d := &driver{t: t, app: New(cfg), in: make(chan tea.Msg, 1000)}
	t.Cleanup(cfg.Jobs.Close)
	d.run(d.app.Init())
	d.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	return d
}

func (d *driver) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() { d.in <- cmd() }()
}

func (d *driver) send(msgs ...tea.Msg) {
	for _, m := range msgs {
		switch m := m.(type) {
		case nil:
		case tea.BatchMsg:
			for _, c := range m {
				d.run(c)
			}
		case tea.QuitMsg:
			d.quit = true
		default:
			if m == tea.RequestBackgroundColor() { // A question to the terminal.
				continue
			}
			_, cmd := d.app.Update(m)
			d.run(cmd)
		}
	}
}

func (d *driver) press(names ...string) {
	for _, n := range names {
		d.send(ui.Press(n))
		for d.app.ahead.awaited > 0 {
			d.send(<-d.in)
		}
	}
}

// until handles messages until ok holds.
func (d *driver) until(what string, ok func() bool) {
	d.t.Helper()
	limit := time.After(20 * time.Second)
	for !ok() {
		select {
		case m := <-d.in:
			d.send(m)
		case <-limit:
			d.t.Fatalf("waited in vain until %s; the screen is\n%s", what, d.screen())
		}
	}
}

// settle handles messages until there are none for a moment.
func (d *driver) settle() {
	for {
		select {
		case m := <-d.in:
			d.send(m)
		case <-time.After(30 * time.Millisecond):
			return
		}
	}
}

// click clicks on the first place where the screen shows text.
func (d *driver) click(text string) {
	d.t.Helper()
	for y, l := range strings.Split(d.screen(), "\n") {
		if before, _, ok := strings.Cut(l, text); ok {
			d.send(tea.MouseClickMsg{X: ansi.StringWidth(before), Y: y, Button: tea.MouseLeft})
			return
		}
	}
	d.t.Fatalf("the screen does not show %q:\n%s", text, d.screen())
}

func (d *driver) screen() string { return ansi.Strip(d.app.View().Content) }

func (d *driver) sees(want string) {
	d.t.Helper()
	if !strings.Contains(d.screen(), want) {
		d.t.Errorf("the screen does not show %q:\n%s", want, d.screen())
	}
}

func (d *driver) misses(want string) {
	d.t.Helper()
	if strings.Contains(d.screen(), want) {
		d.t.Errorf("the screen shows %q:\n%s", want, d.screen())
	}
}

// page is a screen that records its keys and messages.
type page struct {
	title   string
	actions []ui.Action
	keys    []string
	msgs    []tea.Msg
	typing  bool
	filter  bool
	copies  string
	onKey   func(string) tea.Cmd
	drawn   [2]int
}

func (p *page) Title() string        { return p.title }
func (p *page) Purpose() string      { return "This page is here to be tested." }
func (p *page) Actions() []ui.Action { return p.actions }
func (p *page) Init() tea.Cmd        { return nil }
func (p *page) Typing() bool         { return p.typing }
func (p *page) Copy() string         { return p.copies }

func (p *page) Escape() bool {
	was := p.filter
	p.filter = false
	return was
}

func (p *page) Update(msg tea.Msg) tea.Cmd {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		p.keys = append(p.keys, k.String())
		if p.onKey != nil {
			return p.onKey(k.String())
		}
		return nil
	}
	p.msgs = append(p.msgs, msg)
	return nil
}

func (p *page) View(w, h int) string {
	p.drawn = [2]int{w, h}
	return "body of " + p.title
}

// hang returns work that ends when it is cancelled.
func hang(ctx context.Context, _ func(int, int, string)) (tea.Msg, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func answer(msg tea.Msg, err error) ui.Work {
	return func(context.Context, func(int, int, string)) (tea.Msg, error) { return msg, err }
}
