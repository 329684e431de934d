package views

import (
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/ops/prune"
	"lcm-tui/ops/prune/selector"
)

// palette opens the palette, types a query, and returns the screen.
func (d *driver) palette(query string) string {
	d.press(":")
	d.write(query)
	return d.screen(120, 36)
}

// cursorOn goes to the row of the list that shows text.
func (d *driver) cursorOn(text string) {
	d.t.Helper()
	d.press("g")
	for range 60 {
		for l := range strings.Lines(d.screen(120, 36)) {
			l, _, _ = strings.Cut(l, "││")
			if strings.Contains(l, "▌") && strings.Contains(l, text) {
				return
			}
		}
		d.press("down")
	}
	d.t.Fatalf("no row shows %q:\n%s", text, d.screen(120, 36))
}

func (d *driver) dump() string {
	d.t.Helper()
	s, err := testdb.DumpTables(d.path, "lcm_tui_undo")
	if err != nil {
		d.t.Fatal(err)
	}
	return s
}

// exec runs a statement as another program.
func (d *driver) exec(query string, args ...any) {
	d.t.Helper()
	h, err := fakehost.Open(d.path)
	if err != nil {
		d.t.Fatal(err)
	}
	defer h.Close()
	if err := h.Exec(query, args...); err != nil {
		d.t.Fatal(err)
	}
}

// writeSessionFile writes a session file that is an hour old.
func (d *driver) writeSessionFile(folder, name, text string) {
	d.t.Helper()
	path := filepath.Join(folder, name)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		d.t.Fatal(err)
	}
	if err := os.Chtimes(path, demoNow, demoNow.Add(-time.Hour)); err != nil {
		d.t.Fatal(err)
	}
}

// prune removes a conversation that is over, and leaves the review.
func (d *driver) prune(conversation int64) {
	d.t.Helper()
	op := &prune.Op{Verb: prune.Conversations, Selector: selector.Selector{Conversations: []int64{conversation}}, Payload: prune.DefaultPayload}
	d.run(d.env.plan(d.app.Top(), op))
	d.press("a")
	d.sees("applied as #1")
	d.press("enter")
}

// openTrash prunes a conversation and opens the trash from the screen of space.
func (d *driver) openTrash() {
	d.t.Helper()
	d.prune(1)
	d.press("z", "t")
}

// drawThemes is the screen at 80×24, 120×36 and 200×50, with its styles in each theme.
func (d *driver) drawThemes() string {
	d.t.Helper()
	var out strings.Builder
	m := newStyleMap()
	for _, size := range [][2]int{{80, 24}, {120, 36}, {200, 50}} {
		var drawn [3]string
		for i, th := range themes {
			d.send(tea.BackgroundColorMsg{Color: background(th.dark)})
			drawn[i] = elapsed.ReplaceAllString(d.raw(size[0], size[1]), " in 9 ms")
		}
		fmt.Fprintf(&out, "== %d × %d\n%s", size[0], size[1], m.add(d.t, drawn))
	}
	fmt.Fprintf(&out, "== styles\n%s\n", strings.Join(m.legend, "\n"))
	return out.String()
}

func background(dark bool) color.Color {
	if dark {
		return color.Black
	}
	return color.White
}

// openReview opens the review of dissolving the first summary of the demo's first conversation.
func (d *driver) openReview() { d.press("s", "d") }

// elapsed is how long a write took, which differs from run to run.
var elapsed = regexp.MustCompile(` in [0-9]+ ms`)
