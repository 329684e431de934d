package views

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data"
	"lcm-tui/ui"
)

const (
	restFor  = 30 * time.Millisecond // What the cursor has to rest before more is read.
	mostKept = 200
)

// work reads what a row lacks.
type work[More any] func(context.Context) (More, error)

// known is what was read of a row.
type known[More any] struct {
	more  *More
	note  string // Why there is no more.
	stale bool   // From before the last change.
}

// moreRead is what was read of the row called ref.
type moreRead[More any] struct {
	ref  string
	more *More
	note string
}

// drawn is what the text on screen was made of.
type drawn struct {
	ref   string
	index int // Of the row: two may have the same ref.
	width int
	dark  bool
}

// forget has everything read anew, and shows what is known until then.
func (p *pane[Row, More]) forget() {
	p.asked = ""
	p.jobs.Cancel(p.self, "text")
	for ref, k := range p.have {
		k.stale = true
		p.have[ref] = k
	}
}

// rest reads what the row under the cursor lacks, once the cursor rests on it.
func (p *pane[Row, More]) rest() tea.Cmd {
	row, ok := p.list.Selected()
	if !ok || p.read == nil {
		return nil
	}
	ref, more := p.ref(row), p.read(row)
	if k, ok := p.have[ref]; more == nil || ok && !k.stale {
		p.jobs.Cancel(p.self, "text")
		return nil
	}
	if p.asked == ref && p.jobs.Running(p.self, "text") {
		return nil
	}
	p.asked = ref
	wait := restFor
	if len(p.have) == 0 {
		wait = 0
	}
	return p.jobs.Quiet(p.self, "text", read(func(ctx context.Context) (moreRead[More], error) {
		select {
		case <-ctx.Done():
			return moreRead[More]{}, ctx.Err()
		case <-time.After(wait):
		}
		m, err := more(ctx)
		switch {
		case errors.Is(err, data.ErrNotFound):
			return moreRead[More]{ref: ref, note: "its row is gone"}, nil
		case errors.Is(err, data.ErrDamaged):
			return moreRead[More]{ref: ref, note: "it can't be read: the file is damaged there"}, nil
		}
		return moreRead[More]{ref: ref, more: &m}, err
	}))
}

// keep keeps what was read of a row.
func (p *pane[Row, More]) keep(ref string, k known[More]) {
	if len(p.have) >= p.most {
		clear(p.have)
	}
	p.have[ref], p.again = k, true
}

// failed notes that a text can't be read, so that it isn't tried for ever.
func (p *pane[Row, More]) failed(m ui.FailedMsg) {
	switch {
	case m.Name == "text" && !errors.Is(m.Err, context.Canceled):
		p.keep(p.asked, known[More]{note: "the text could not be read"})
	case m.Name == "load" && len(p.list.Items()) == 0:
		p.list.Empty = "what belongs here could not be read"
	}
}

// show has the pager show the text of the row under the cursor. It's written anew
// only when there is a reason to; the place is kept while the row stays.
func (p *pane[Row, More]) show(width int) {
	was, now := p.drawn, drawn{index: p.list.Index(), width: width, dark: p.styles.Dark}
	row, ok := p.list.Selected()
	if ok {
		now.ref = p.ref(row)
	}
	if now == was && !p.again {
		return
	}
	p.drawn, p.again = now, false
	text := ""
	if ok {
		k := p.have[now.ref]
		if text = p.write(row, k.more, width); k.note != "" {
			text += "\n" + p.styles.Bad.Render("! "+k.note)
		}
	}
	if now.ref == was.ref {
		p.pager.SetText(text)
	} else {
		p.pager.Show(text)
	}
}
