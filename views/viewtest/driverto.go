package viewtest

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

// Palette opens the palette, types a query, and returns the screen.
func (d *Driver) Palette(query string) string {
	d.Press(":")
	d.Write(query)
	return d.Screen(120, 36)
}

// CursorOn goes to the row of the list that shows text.
func (d *Driver) CursorOn(text string) {
	d.T.Helper()
	d.Press("g")
	for range 60 {
		for l := range strings.Lines(d.Screen(120, 36)) {
			l, _, _ = strings.Cut(l, "│")
			if strings.Contains(l, "▌") && strings.Contains(l, text) {
				return
			}
		}
		d.Press("down")
	}
	d.T.Fatalf("no row shows %q:\n%s", text, d.Screen(120, 36))
}

// Dump returns what the database holds, without our own table.
func (d *Driver) Dump() string {
	d.T.Helper()
	s, err := testdb.DumpTables(d.Path, "lcm_tui_undo")
	if err != nil {
		d.T.Fatal(err)
	}
	return s
}

// Exec runs a statement as another program.
func (d *Driver) Exec(query string, args ...any) {
	d.T.Helper()
	h, err := fakehost.Open(d.Path)
	if err != nil {
		d.T.Fatal(err)
	}
	defer h.Close()
	if err := h.Exec(query, args...); err != nil {
		d.T.Fatal(err)
	}
}

// WriteSessionFile writes a session file that is an hour old.
func (d *Driver) WriteSessionFile(folder, name, text string) {
	d.T.Helper()
	path := filepath.Join(folder, name)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		d.T.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		d.T.Fatal(err)
	}
	if err := os.Chtimes(path, DemoNow, DemoNow.Add(-time.Hour)); err != nil {
		d.T.Fatal(err)
	}
}

// Prune removes a conversation that is over, and leaves the review.
func (d *Driver) Prune(conversation int64) {
	d.T.Helper()
	op := &prune.Op{Verb: prune.Conversations, Selector: selector.Selector{Conversations: []int64{conversation}}, Payload: prune.DefaultPayload}
	d.Run(d.Env.Plan(d.App.Top(), op))
	d.Press("a")
	d.Sees("applied as #1")
	d.Press("enter")
}

// OpenTrash prunes a conversation and opens the trash from the screen of space.
func (d *Driver) OpenTrash() {
	d.T.Helper()
	d.Prune(1)
	d.Press("z", "t")
}

// DrawThemes returns the screen at 80×24, 120×36 and 200×50, with its styles in each theme.
func (d *Driver) DrawThemes() string {
	d.T.Helper()
	var out strings.Builder
	m := newStyleMap()
	for _, size := range [][2]int{{80, 24}, {120, 36}, {200, 50}} {
		var drawn [3]string
		for i, th := range themes {
			d.Send(tea.BackgroundColorMsg{Color: background(th.dark)})
			drawn[i] = elapsed.ReplaceAllString(d.Raw(size[0], size[1]), " in 9 ms")
		}
		fmt.Fprintf(&out, "== %d × %d\n%s", size[0], size[1], m.add(d.T, drawn))
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

// OpenReview opens the review of dissolving the first summary of the demo's first conversation.
func (d *Driver) OpenReview() { d.Press("s", "d") }

// elapsed is how long a write took, which differs from run to run: milliseconds, or seconds on a busy machine.
var elapsed = regexp.MustCompile(` in [0-9.]+ m?s`)
