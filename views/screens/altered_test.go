package screens

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data/lcm"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ui"
	"lcm-tui/views"
	"lcm-tui/views/health"
	"lcm-tui/views/review"
	"lcm-tui/views/viewtest"
)

// TestScreensOfAlteredFiles: whatever table or column a file lacks, and whatever stands
// in its cells, every screen is drawn, and says what is missing.
func TestScreensOfAlteredFiles(t *testing.T) {
	t.Parallel()
	for _, a := range testlength.Some(testdb.Alterations(t)) {
		kind, _, _ := strings.Cut(a.Name, " ")
		missing := a.Required() || a.Level == fakehost.Beta && (kind == "drop" || kind == "keyless")
		if !missing && kind != "huge" && kind != "least" && kind != "blob" {
			continue // The commands' test reads these too.
		}
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			path, ok := testdb.Altered(t, a)
			if !ok {
				t.Skip("the file's rules don't allow it")
			}
			defer os.RemoveAll(filepath.Dir(path))
			drawAltered(t, path, a)
		})
	}
}

func drawAltered(t *testing.T, path string, a testdb.Alteration) {
	defer func() {
		if p := recover(); p != nil {
			t.Fatalf("panic: %v", p)
		}
	}()
	d := viewtest.DriveFile(t, path)
	d.Send(tea.WindowSizeMsg{Width: 120, Height: 36})
	look := func(where string) {
		t.Helper()
		got := viewtest.Plain(d.App.View().Content)
		for _, bad := range []string{"refused the statement", "internal error", "the disk reported"} {
			if strings.Contains(got, bad) {
				t.Errorf("%s: %s", where, got)
			}
		}
	}
	look("conversations")
	if a.Required() {
		d.Sees(strings.TrimSuffix(a.Table+"."+a.Column, "."))
	}
	all, err := lcm.Conversations(t.Context(), d.Env.DB)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) > 0 {
		c := all[len(all)-1]
		for tab := range 7 {
			d.Send(ui.PushMsg{Screen: views.NewConversation(d.Env, c, 128_000).Tab(tab)})
			look(fmt.Sprintf("tab %d", tab))
			d.Press("down", "enter")
			look(fmt.Sprintf("tab %d opened", tab))
			d.Press("esc", "esc")
		}
	}
	for _, screen := range []ui.Screen{review.NewHistory(d.Env), health.NewHealth(d.Env)} {
		d.Send(ui.PushMsg{Screen: screen})
		look(screen.Title())
		d.Press("esc")
	}
}
