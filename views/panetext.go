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
	cursorRestDelay  = 30 * time.Millisecond // How long the cursor rests on a row before its detail is read.
	maxCachedDetails = 200
)

// detailReader reads the detail of a row.
type detailReader[Detail any] func(context.Context) (Detail, error)

// cachedDetail is what was read of a row.
type cachedDetail[Detail any] struct {
	detail Detail // Nil where there is none.
	note   string // Why there is no detail.
	stale  bool   // Read before the last change.
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
	width int
	dark  bool
}

// scrollTarget is where a text is to be scrolled to as soon as it is rendered in full.
type scrollTarget struct {
	ref    string // The row whose text it is; empty is none.
	offset int    // In lines.
}

// scrollToMark scrolls the text of the row called ref to the first place that is underlined in
// it, once, if that is the row whose text is to be scrolled.
func (p *ListScreen[Row, Detail]) scrollToMark(ref, text string) {
	if p.markedRef != ref {
		return
	}
	p.markedRef = ""
	line := strings.Count(text[:max(0, strings.Index(text, ui.UnderlineOn))], "\n")
	if line > p.height-4 {
		p.scrollTo = scrollTarget{ref: ref, offset: line - p.height/3}
	}
}

// invalidate marks every cached detail as stale: each is shown until it is read again.
func (p *ListScreen[Row, Detail]) invalidate() {
	p.requested = ""
	p.jobs.Cancel(p.screen, "text")
	for ref, k := range p.details {
		k.stale = true
		p.details[ref] = k
	}
}

// readDetail reads the detail of the row under the cursor once the cursor rests on it.
func (p *ListScreen[Row, Detail]) readDetail() tea.Cmd {
	row, ok := p.list.Selected()
	if !ok || p.readDetailOf == nil {
		return nil
	}
	ref, reader := p.ref(row), p.readDetailOf(row)
	if cached, ok := p.details[ref]; reader == nil || ok && !cached.stale {
		p.jobs.Cancel(p.screen, "text")
		return nil
	}
	if p.requested == ref && p.jobs.Running(p.screen, "text") {
		return nil
	}
	p.requested = ref
	wait := cursorRestDelay
	if len(p.details) == 0 {
		wait = 0
	}
	return p.jobs.QuietAfter(p.screen, "text", wait, read(func(ctx context.Context) (detailMsg[Detail], error) {
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

// cacheDetail caches what was read of a row. A full cache is emptied first.
func (p *ListScreen[Row, Detail]) cacheDetail(ref string, detail cachedDetail[Detail]) {
	if len(p.details) >= p.maxDetails {
		clear(p.details)
	}
	p.details[ref], p.dirty = detail, true
}

// failed caches that a detail can't be read, so that it isn't read again and again.
func (p *ListScreen[Row, Detail]) failed(m ui.FailedMsg) {
	switch {
	case m.Name == "text" && !errors.Is(m.Err, context.Canceled):
		p.cacheDetail(p.requested, cachedDetail[Detail]{note: "the text could not be read"})
	case m.Name == "load" && len(p.list.Items()) == 0:
		p.list.Empty = "what belongs here could not be read"
	}
}

// renderText gives the pager the text of the row under the cursor. It renders only what
// changed, and keeps the scroll position while the row stays.
func (p *ListScreen[Row, Detail]) renderText(width int) {
	was, now := p.rendered, renderKey{index: p.list.Index(), width: width, dark: p.styles.DarkBackground}
	row, ok := p.list.Selected()
	if ok {
		now.ref = p.ref(row)
	}
	if now == was && !p.dirty {
		return
	}
	p.rendered, p.dirty = now, false
	text := ""
	if ok {
		k := p.details[now.ref]
		if text = p.render(row, k.detail, width); k.note != "" {
			text += "\n" + p.styles.Bad.Render("! "+k.note)
		}
	}
	if now.ref == was.ref {
		p.pager.SetText(text)
	} else {
		p.pager.Show(text)
	}
	if p.scrollTo.ref == now.ref {
		p.pager.SetOffset(p.scrollTo.offset)
	} else {
		p.scrollTo = scrollTarget{}
	}
}
