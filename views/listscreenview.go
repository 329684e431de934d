package views

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/ui"
)

// View implements ui.Screen.
func (p *ListScreen[Row, Detail]) View(width, height int) string {
	p.Width = width
	var lines []string
	if p.Tabs != nil {
		lines = append(lines, p.Tabs.tabLine(width))
		lines = append(lines, p.Tabs.unreadLine(width)...)
		if p.Tabs.Unreadable() != "" {
			p.List.Empty = "" // The line under the tabs says why.
		}
	}
	switch {
	case p.Path.Typing():
		lines = append(lines, p.Path.lines(width, p.styles)...)
	case p.HeaderLines != nil && !p.textAlone():
		lines = append(lines, p.HeaderLines(width, height)...)
	}
	p.top = len(lines)
	p.Height = max(1, height-p.top)
	return strings.Join(append(lines, p.body()), "\n")
}

// body draws list and text, or one of them where there is no room for two.
func (p *ListScreen[Row, Detail]) body() string {
	p.List.Blurred = p.TextFocused
	width, height := p.Width, p.Height
	switch {
	case !p.split() && !p.TextFocused:
		return p.rows()
	case !p.split():
		return p.text(width, height)
	}
	share := p.ListShare()
	_, right, rows := ui.Panes(width, height, share)
	return ui.Split(p.styles, p.rows(), p.text(right, rows), width, height, share, p.TextFocused)
}

func (p *ListScreen[Row, Detail]) rows() string {
	width, height := p.ListSize()
	if p.LayoutColumns != nil {
		p.List.Head = p.LayoutColumns(width - 1).Head(p.styles.Muted)
	}
	return p.List.View(width, height)
}

// text draws the text with a blank on each side.
func (p *ListScreen[Row, Detail]) text(width, height int) string {
	p.renderText(width - 2)
	return " " + strings.ReplaceAll(p.Pager.View(width-2, height), "\n", "\n ")
}

// TextIsPage reports whether the text covers the list.
func (p *ListScreen[Row, Detail]) TextIsPage() bool { return p.TextFocused && !p.split() }

// ListSize returns the size in which View draws the list.
func (p *ListScreen[Row, Detail]) ListSize() (width, height int) {
	if !p.split() {
		return p.Width, p.Height
	}
	left, _, rows := ui.Panes(p.Width, p.Height, p.ListShare())
	return left, rows
}

// mouse gives a click or the wheel to what is under it; a click takes the keys
// along.
func (p *ListScreen[Row, Detail]) mouse(msg tea.MouseMsg) tea.Cmd {
	if p.Tabs != nil {
		if cmd, taken := p.Tabs.tabClick(msg, p.Width); taken {
			return cmd
		}
	}
	_, click := msg.(tea.MouseClickMsg)
	left, _ := p.ListSize()
	line, inText := 0, p.TextIsPage() // line is the one above two panes.
	if p.split() {
		line, inText = 1, msg.Mouse().X > left+1
	}
	switch {
	case click && msg.Mouse().Y < p.top:
		return nil
	case click && line > 0:
		p.Focus(inText)
	}
	if inText {
		return p.Pager.Update(msg)
	}
	return p.List.Update(ui.ShiftMouse(msg, 0, p.top+line))
}

// SetRows gives the list other rows, which it must know by ref, and keeps the cursor
// on the line of the screen where it is; the list alone keeps only its row.
func (p *ListScreen[Row, Detail]) SetRows(items []Row) {
	at, seen := p.Copy(), p.List.Visible()
	p.List.SetItems(items)
	width, height := p.ListSize()
	if len(seen) == 0 || width <= 0 || height <= 0 || p.Copy() != at {
		return
	}
	for _, edge := range []Row{seen[len(seen)-1], seen[0]} {
		if p.List.Select(p.ref(edge)) {
			p.List.View(width, height)
		}
	}
	p.List.Select(at)
}

// CenterRow puts the cursor on a row of such a list, in the middle of the screen if it
// isn't in view.
func (p *ListScreen[Row, Detail]) CenterRow(ref string) {
	width, height := p.ListSize()
	if !p.List.Select(ref) || width <= 0 || height <= 0 {
		return
	}
	at := p.List.Index()
	for _, edge := range []int{at + height/2, at - height/2} {
		p.List.Move(edge - p.List.Index())
		p.List.View(width, height)
	}
	p.List.Select(ref)
}
