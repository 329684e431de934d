package views

import (
	"context"
	"errors"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"lcm-tui/data"
	"lcm-tui/ui"
)

// reading is a detail pane whose text is loaded when the cursor rests on a row.
type reading struct {
	env   *Env
	pager *ui.Pager
	have  map[string]*passage
	shown string // What the pager shows.
	asked string // What is being loaded.
	width int    // Of the pane in the last View.
	focus bool   // The keys go to the pane; on narrow screens it is a page.
}

// passage is the whole text of a summary or a message.
type passage struct {
	ref      string
	text     string
	markdown bool
	sources  []data.Message // Of a leaf.
	stale    bool           // From before the last change.

	laid  string // The text as laid out for width.
	width int
	dark  bool
}

const (
	rest         = 30 * time.Millisecond // What the cursor has to rest before a text is loaded.
	mostPassages = 200
)

func newReading(env *Env) *reading {
	r := &reading{env: env, pager: ui.NewPager(env.Styles), have: map[string]*passage{}}
	r.aim(false)
	return r
}

// aim gives the pane the keys, or takes them from it.
func (r *reading) aim(focus bool) {
	r.focus = focus
	r.pager.Keys = ui.DetailKeys()
	if focus {
		r.pager.Keys = ui.DefaultPagerKeys()
	}
}

// key gives the pane a key that nothing else had a use for.
func (r *reading) key(msg tea.KeyPressMsg) tea.Cmd {
	if r.focus && !r.pager.Typing() {
		switch msg.String() {
		case "J":
			r.pager.Scroll(1)
		case "K":
			r.pager.Scroll(-1)
		}
	}
	return r.pager.Update(msg)
}

// escape leaves the pane and reports whether it had the focus.
func (r *reading) escape() bool {
	if !r.focus {
		return false
	}
	if !r.pager.Escape() {
		r.aim(false)
	}
	return true
}

// forget has every text loaded anew, and shows those that are known until then.
func (r *reading) forget() {
	r.asked = ""
	if len(r.have) > mostPassages {
		clear(r.have)
	}
	for _, p := range r.have {
		p.stale = true
	}
}

// load loads the text of ref, unless it is known, once the cursor rests on it.
func (r *reading) load(owner ui.Screen, ref string, load func(context.Context) (*passage, error)) tea.Cmd {
	if p := r.have[ref]; ref == "" || p != nil && !p.stale {
		r.env.Jobs.Cancel(owner, "text")
		return nil
	}
	if r.asked == ref && r.env.Jobs.Running(owner, "text") {
		return nil
	}
	r.asked = ref
	wait := rest
	if len(r.have) == 0 {
		wait = 0
	}
	width, dark := r.width, r.env.Styles.Dark
	return r.env.Jobs.Quiet(owner, "text", read(func(ctx context.Context) (*passage, error) {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(wait):
		}
		p, err := load(ctx)
		if errors.Is(err, data.ErrNotFound) {
			return &passage{ref: ref, text: "its row is gone"}, nil
		}
		if err != nil {
			return nil, err
		}
		p.ref = ref
		p.lay(width, dark)
		return p, nil
	}))
}

// lay lays the text out, unless it is so already.
func (p *passage) lay(width int, dark bool) {
	if width <= 0 || p.width == width && p.dark == dark {
		return
	}
	p.width, p.dark, p.laid = width, dark, p.text
	if p.markdown {
		p.laid = withoutBlankEnds(ui.Markdown(p.text, max(1, width), dark))
	}
}

// withoutBlankEnds drops the lines at both ends in which nothing is seen.
func withoutBlankEnds(styled string) string {
	lines := strings.Split(styled, "\n")
	blank := func(l string) bool { return strings.TrimSpace(ansi.Strip(l)) == "" }
	for len(lines) > 0 && blank(lines[0]) {
		lines = lines[1:]
	}
	for len(lines) > 0 && blank(lines[len(lines)-1]) {
		lines = lines[:len(lines)-1]
	}
	return strings.Join(lines, "\n")
}

// failed notes that a text can't be read, so that it isn't tried for ever.
func (r *reading) failed(m ui.FailedMsg) {
	if m.Name == "text" && !errors.Is(m.Err, context.Canceled) {
		r.take(&passage{ref: r.asked, text: "the text could not be read"})
	}
}

func (r *reading) take(p *passage) {
	if len(r.have) > mostPassages {
		clear(r.have)
	}
	r.have[p.ref] = p
}

// view draws what write makes of the text of ref, which is nil while it isn't
// known.
func (r *reading) view(ref string, width, height int, write func(*passage, int) string) string {
	r.width = width
	p := r.have[ref]
	if p != nil {
		p.lay(width, r.env.Styles.Dark)
	}
	text := write(p, width)
	if ref != r.shown {
		r.shown = ref
		r.pager.Show(text)
	} else {
		r.pager.SetText(text)
	}
	return r.pager.View(width, height)
}

// mouse says whose a click or the wheel is: the pane's or the list's, which begins
// below top lines. A click takes the focus along.
func (r *reading) mouse(msg tea.Msg, width, top int, share float64) (toPane, toList tea.Msg) {
	m, ok := msg.(tea.MouseMsg)
	if !ok {
		return nil, nil
	}
	if !ui.Wide(width) {
		if r.focus {
			return msg, nil
		}
		return nil, ui.Shift(msg, 0, top)
	}
	left, _, _ := ui.Panes(width, top, share)
	right := m.Mouse().X >= left+2
	if _, click := msg.(tea.MouseClickMsg); click {
		r.aim(right)
	}
	if right {
		return msg, nil
	}
	return nil, ui.Shift(msg, 1, top+1)
}
