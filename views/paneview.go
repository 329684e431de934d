package views

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/ui"
)

// View implements ui.Screen.
func (p *ListScreen[Row, Detail]) View(width, height int) string {
	p.width = width
	var lines []string
	if p.tabs != nil {
		lines = append(lines, p.tabs.tabLine(width))
		lines = append(lines, p.tabs.unreadLine(width)...)
		if say := p.tabs.unreadable(); say != "" {
			p.list.Empty = say
		}
	}
	if p.headerLines != nil && !p.textAlone() {
		lines = append(lines, p.headerLines(width, height)...)
	}
	p.top = len(lines)
	p.height = max(1, height-p.top)
	return strings.Join(append(lines, p.body()), "\n")
}

// body draws list and text, or one of them where there is no room for two.
func (p *ListScreen[Row, Detail]) body() string {
	p.list.Blurred = p.textFocused
	width, height := p.width, p.height
	switch {
	case !p.split() && !p.textFocused:
		return p.rows()
	case !p.split() && (p.frameless || p.textAlone()):
		return p.text(width-1, height)
	case !p.split():
		return ui.Frame(p.styles, p.text(width-2, height-2), width-2, height-2, true)
	}
	share := p.listShare()
	_, right, rows := ui.Panes(width, height, share)
	return ui.Split(p.styles, p.rows(), p.text(right, rows), width, height, share, p.textFocused)
}

func (p *ListScreen[Row, Detail]) rows() string {
	width, height := p.listSize()
	if p.layoutColumns != nil {
		p.list.Head = p.layoutColumns(width - 1).head(p.styles.Muted)
	}
	return p.list.View(width, height)
}

// text draws the text, with a margin so that it doesn't touch its frame.
func (p *ListScreen[Row, Detail]) text(width, height int) string {
	if p.frameless {
		p.renderText(width)
		return p.pager.View(width, height)
	}
	p.renderText(width - 1)
	return " " + strings.ReplaceAll(p.pager.View(width-1, height), "\n", "\n ")
}

// textIsPage reports whether the text covers the list.
func (p *ListScreen[Row, Detail]) textIsPage() bool { return p.textFocused && !p.split() }

// listSize is the size in which View draws the list.
func (p *ListScreen[Row, Detail]) listSize() (width, height int) {
	if !p.split() {
		return p.width, p.height
	}
	left, _, rows := ui.Panes(p.width, p.height, p.listShare())
	return left, rows
}

// mouse gives a click or the wheel to what is under it; a click takes the keys
// along.
func (p *ListScreen[Row, Detail]) mouse(msg tea.MouseMsg) tea.Cmd {
	if p.tabs != nil {
		if cmd, taken := p.tabs.tabClick(msg, p.width); taken {
			return cmd
		}
	}
	_, click := msg.(tea.MouseClickMsg)
	left, _ := p.listSize()
	frame, inText := 0, p.textIsPage()
	if p.split() {
		frame, inText = 1, msg.Mouse().X > left+1
	}
	switch {
	case click && msg.Mouse().Y < p.top:
		return nil
	case click && frame > 0:
		p.focus(inText)
	}
	if inText {
		return p.pager.Update(msg)
	}
	return p.list.Update(ui.ShiftMouse(msg, frame, p.top+frame))
}

// setRows gives the list other rows, which it must know by ref, and keeps the cursor
// on the line of the screen where it is; the list alone keeps only its row.
func (p *ListScreen[Row, Detail]) setRows(items []Row) {
	at, seen := p.Copy(), p.list.Visible()
	p.list.SetItems(items)
	width, height := p.listSize()
	if len(seen) == 0 || width <= 0 || height <= 0 || p.Copy() != at {
		return
	}
	for _, edge := range []Row{seen[len(seen)-1], seen[0]} {
		if p.list.Select(p.ref(edge)) {
			p.list.View(width, height)
		}
	}
	p.list.Select(at)
}

// centerRow puts the cursor on a row of such a list, in the middle of the screen if it
// isn't in view.
func (p *ListScreen[Row, Detail]) centerRow(ref string) {
	width, height := p.listSize()
	if !p.list.Select(ref) || width <= 0 || height <= 0 {
		return
	}
	at := p.list.Index()
	for _, edge := range []int{at + height/2, at - height/2} {
		p.list.Move(edge - p.list.Index())
		p.list.View(width, height)
	}
	p.list.Select(ref)
}
