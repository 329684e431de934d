package views

import (
	"context"
	"errors"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data"
	"lcm-tui/ui"
)

const (
	// CursorRestDelay is how long the cursor rests on a row before its detail is read.
	CursorRestDelay  = 30 * time.Millisecond
	maxCachedDetails = 200
)

// DetailReader reads the detail of a row.
type DetailReader[Detail any] func(context.Context) (Detail, error)

// cachedDetail is what was read of a row.
type cachedDetail[Detail any] struct {
	Detail Detail // Nil where there is none.
	note   string // Why there is no detail.
	stale  bool   // Read before the last change.
}

// detailCache keeps what was read of rows, by ref.
type detailCache[Detail any] struct {
	Details    map[string]cachedDetail[Detail]
	MaxDetails int    // How many are kept.
	requested  string // The ref of the row whose detail is being read.
}

func newDetailCache[Detail any]() detailCache[Detail] {
	return detailCache[Detail]{Details: map[string]cachedDetail[Detail]{}, MaxDetails: maxCachedDetails}
}

// keep caches what was read of a row. A full cache is emptied first.
func (c *detailCache[Detail]) keep(ref string, detail cachedDetail[Detail]) {
	if len(c.Details) >= c.MaxDetails {
		clear(c.Details)
	}
	c.Details[ref] = detail
}

// expire marks every detail as stale: each is shown until it is read again.
func (c *detailCache[Detail]) expire() {
	c.requested = ""
	for ref, k := range c.Details {
		k.stale = true
		c.Details[ref] = k
	}
}

// detailMsg is what was read of the row called ref.
type detailMsg[Detail any] struct {
	ref    string
	detail Detail // Nil where there is none.
	note   string
}

// renderKey is what the text on screen was rendered from.
type renderKey struct {
	ref   string
	index int // Of the row: two may have the same ref.
	Width int
	dark  bool
}

// ScrollTarget is where a text is to be scrolled to as soon as it is rendered in full.
type ScrollTarget struct {
	Ref    string // The row whose text it is; empty is none.
	Offset int    // In lines.
}

// ScrollToMark scrolls the text of the row called ref to the first place that is underlined in
// it, once, if that is the row whose text is to be scrolled.
func (p *ListScreen[Row, Detail]) ScrollToMark(ref, text string) {
	if p.MarkedRef != ref {
		return
	}
	p.MarkedRef = ""
	line := strings.Count(text[:max(0, strings.Index(text, ui.UnderlineOn))], "\n")
	if line > p.Height-4 {
		p.ScrollTo = ScrollTarget{Ref: ref, Offset: line - p.Height/3}
	}
}

// Invalidate marks every cached detail as stale: each is shown until it is read again.
func (p *ListScreen[Row, Detail]) Invalidate() {
	p.expire()
	p.jobs.Cancel(p.screen, "text")
}

// ReadDetail reads the detail of the row under the cursor once the cursor rests on it.
func (p *ListScreen[Row, Detail]) ReadDetail() tea.Cmd {
	row, ok := p.List.Selected()
	if !ok || p.ReadDetailOf == nil {
		return nil
	}
	ref, reader := p.ref(row), p.ReadDetailOf(row)
	if cached, ok := p.Details[ref]; reader == nil || ok && !cached.stale {
		p.jobs.Cancel(p.screen, "text")
		return nil
	}
	if p.requested == ref && p.jobs.Running(p.screen, "text") {
		return nil
	}
	p.requested = ref
	wait := CursorRestDelay
	if len(p.Details) == 0 {
		wait = 0
	}
	return p.jobs.QuietAfter(p.screen, "text", wait, Read(func(ctx context.Context) (detailMsg[Detail], error) {
		detail, err := reader(ctx)
		switch {
		case errors.Is(err, data.ErrNotFound):
			return detailMsg[Detail]{ref: ref, note: "its row is gone"}, nil
		case errors.Is(err, data.ErrDamaged):
			return detailMsg[Detail]{ref: ref, note: "it can't be read: the file is damaged there"}, nil
		}
		return detailMsg[Detail]{ref: ref, detail: detail}, err
	}))
}

// failed caches that a detail can't be read, so that it isn't read again and again.
func (p *ListScreen[Row, Detail]) failed(m ui.FailedMsg) {
	switch {
	case m.Name == "text" && !errors.Is(m.Err, context.Canceled):
		p.keep(p.requested, cachedDetail[Detail]{note: "the text could not be read"})
		p.Dirty = true
	case m.Name == "load" && len(p.List.Items()) == 0:
		p.List.Empty = NotRead(m.Err)
	}
}

// NotRead says in place of what a screen shows that reading it failed with err, or was cancelled, and what to do.
func NotRead(err error) string {
	if errors.Is(err, context.Canceled) {
		return "not read: the reading was cancelled; ctrl+r reads again"
	}
	return "what belongs here could not be read; ctrl+r tries again"
}

// renderText gives the pager the text of the row under the cursor. It renders only what
// changed, and keeps the scroll position while the row stays.
func (p *ListScreen[Row, Detail]) renderText(width int) {
	was, now := p.Rendered, renderKey{index: p.List.Index(), Width: width, dark: p.styles.DarkBackground}
	row, ok := p.List.Selected()
	if ok {
		now.ref = p.ref(row)
	}
	if now == was && !p.Dirty {
		return
	}
	p.Rendered, p.Dirty = now, false
	text := ""
	if ok {
		k := p.Details[now.ref]
		if text = p.render(row, k.Detail, width); k.note != "" {
			text += "\n" + p.styles.Bad.Render("! "+k.note)
		}
	}
	if now.ref == was.ref {
		p.Pager.SetText(text)
	} else {
		p.Pager.Show(text)
	}
	if p.ScrollTo.Ref == now.ref {
		p.Pager.SetOffset(p.ScrollTo.Offset)
	} else {
		p.ScrollTo = ScrollTarget{}
	}
}
