package views

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data/lcm"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/ui"
)

func openMessages(t *testing.T, d *driver, conv int64) *Messages {
	t.Helper()
	return d.open(conv, tabMessages).(*Messages)
}

// at is the seq under the cursor.
func (v *Messages) at() int64 { return v.cursorSeq() }

// whole fails unless the window is in order, without a gap and not too long.
func (v *Messages) whole(t *testing.T) {
	t.Helper()
	for i, m := range v.window.items {
		if i > 0 && m.Seq != v.window.items[i-1].Seq+1 {
			t.Fatalf("after %d comes %d", v.window.items[i-1].Seq, m.Seq)
		}
	}
	if n := len(v.window.items); n > windowMax {
		t.Fatalf("%d messages are kept", n)
	}
}

func TestMessagesScreens(t *testing.T) {
	t.Parallel()
	t.Run("newest", func(t *testing.T) {
		t.Parallel()
		d := driveDemo(t)
		d.press("enter")
		d.goldens()
	})
	t.Run("tool call", func(t *testing.T) {
		t.Parallel()
		d := driveDemo(t)
		d.press("enter", "#")
		d.write("629")
		d.press("enter", "enter")
		d.goldens()
	})
	t.Run("search", func(t *testing.T) {
		t.Parallel()
		d := driveDemo(t)
		d.press("enter", "/")
		d.write("timeout")
		d.press("enter")
		d.goldens()
	})
}

func TestMessagesPageInBothDirections(t *testing.T) {
	t.Parallel()
	messages, pages := int64(3000), 115
	if testdb.Race {
		messages, pages = 1200, 46 // Still several windows of what is read at once.
	}
	d := driveFile(t, long(t, int(messages)))
	v := openMessages(t, d, 1)
	if v.at() != messages {
		t.Fatalf("opens at %d", v.at())
	}
	for range pages {
		before := v.at()
		d.press("pgup")
		v.whole(t)
		if v.at() >= before && before != 1 {
			t.Fatalf("pgup at %d went to %d", before, v.at())
		}
	}
	if v.at() != 1 || !v.window.atStart {
		t.Fatalf("pages up end at %d", v.at())
	}
	for range pages {
		d.press("pgdown")
		v.whole(t)
	}
	if v.at() != messages || !v.window.atEnd {
		t.Fatalf("pages down end at %d", v.at())
	}
	d.press("g")
	v.whole(t)
	if v.at() != 1 {
		t.Errorf("g goes to %d", v.at())
	}
	d.press("G")
	if v.at() != messages {
		t.Errorf("G goes to %d", v.at())
	}
}

// TestMessagesScrollWithoutJumps: going up message by message, no line may jump when older ones are read.
func TestMessagesScrollWithoutJumps(t *testing.T) {
	t.Parallel()
	d := driveFile(t, long(t, 3000))
	v := openMessages(t, d, 1)
	line := func() int {
		for i, l := range strings.Split(d.screen(120, 36), "\n") {
			if strings.Contains(l, "▌") {
				return i
			}
		}
		return -1
	}
	for range 140 {
		v.list.Move(-1)
	}
	last := line()
	for i := range 130 {
		d.press("up")
		now := line()
		if now > last+1 || now < last-2 {
			t.Fatalf("after %d steps, at %d, the cursor jumped from line %d to %d", i, v.at(), last, now)
		}
		last = now
	}
}

func TestMessagesOfTheFixtures(t *testing.T) {
	t.Parallel()
	d := driveFile(t, fixture(t, "v0.15.3/rich.db"))
	v := openMessages(t, d, 1)
	keys := []string{"pgup", "pgdown"}
	if testdb.Race {
		keys = keys[:1] // It looks for races, and both ways are gone in TestMessagesPageInBothDirections.
	}
	for _, k := range keys {
		seen := map[int64]bool{}
		for range 115 {
			d.press(k)
			v.whole(t)
			d.app.View()
			for _, m := range v.list.Visible() {
				seen[m.Seq] = true
			}
		}
		if len(seen) != 3000 {
			t.Errorf("by %s, %d messages were seen", k, len(seen))
		}
	}
}

func number(text string) int64 {
	n, _ := strconv.ParseInt(strings.ReplaceAll(text, ",", ""), 10, 64)
	return n
}

func TestMessagesGoTo(t *testing.T) {
	t.Parallel()
	d := driveFile(t, long(t, 3000))
	v := openMessages(t, d, 1)
	for text, want := range map[string]int64{
		"1,500": 1500, "id 77": 77, "id2999": 2999, "2026-03-18 10:30": 2999, "2026-03-17": 2964,
		"2031-01-01": 3000,
	} {
		d.press("#")
		d.write(text)
		d.press("enter")
		if v.at() != want {
			t.Errorf("%q goes to %d, want %d", text, v.at(), want)
		}
		v.whole(t)
	}
	// A message that there isn't leaves the cursor where it is.
	here := v.at()
	for _, text := range []string{"99999", "0", "-3", "3,001"} {
		d.press("#")
		d.write(text)
		d.press("enter")
		d.sees("there is no message of seq " + ui.Num(number(text)))
		if v.at() != here {
			t.Errorf("%q goes to %d", text, v.at())
		}
	}
	d.press("#")
	d.write("yesterday")
	d.press("enter")
	d.sees("“yesterday” is no seq")
	d.press("#")
	d.write("id 4000")
	d.press("enter")
	d.sees("4000")
	d.run(v.goTo(42))
	if v.at() != 42 {
		t.Errorf("goTo goes to %d", v.at())
	}
}

// A seq that a gap has in its place is no message.
func TestMessagesGoToAGap(t *testing.T) {
	t.Parallel()
	path := long(t, 20)
	h, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, sql := range []string{"DELETE FROM context_items WHERE message_id = 9", "DELETE FROM message_parts WHERE message_id = 9", "DELETE FROM messages WHERE message_id = 9"} {
		if err := h.Exec(sql); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	d := driveFile(t, path)
	v := openMessages(t, d, 1)
	here := v.at()
	d.press("#")
	d.write("9")
	d.press("enter")
	d.sees("there is no message of seq 9")
	if v.at() != here {
		t.Errorf("the cursor is at %d", v.at())
	}
}

// TestMessagesGoToBeforeShown: another screen says goTo before the tab was ever shown.
func TestMessagesGoToBeforeShown(t *testing.T) {
	t.Parallel()
	d := driveFile(t, long(t, 3000))
	d.open(1, tabFocus)
	hub := d.app.Top().(*Focus).hub
	v := hub.Tab(tabMessages).(*Messages)
	d.queue = append(d.queue, v.goTo(1234))
	d.run(hub.show(tabMessages))
	if v.at() != 1234 {
		t.Errorf("the cursor is at %d", v.at())
	}
	d.sees("message number 1234", "seq 1,234 of 3,000")
}

func TestMessagesSearch(t *testing.T) {
	t.Parallel()
	d := driveFile(t, long(t, 3000))
	v := openMessages(t, d, 1)
	d.press("/")
	d.write("A hundredTH")
	d.press("enter")
	var got []int64
	for _, k := range []string{"N", "N", "n", "n", "n", "g", "n", "n"} {
		got = append(got, v.at())
		d.press(k)
	}
	got = append(got, v.at())
	if fmt.Sprint(got) != "[3000 2900 2800 2900 3000 100 1 100 200]" {
		t.Errorf("matches: %v", got)
	}
	if raw := d.raw(120, 36); !strings.Contains(raw, "\x1b[4ma Hundredth") && !strings.Contains(raw, "\x1b[4m") {
		t.Error("the match is not underlined")
	}
	d.press("esc", "/")
	d.write("no such words")
	d.press("enter")
	d.sees("no message of this conversation holds “no such words”")
}

func TestMessagesByRole(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	d.press("enter", "r")
	d.sees("only user", "r role: user")
	d.misses("] go ")
	v := d.app.Top().(*Messages)
	for _, m := range v.window.items {
		if m.Role != "user" {
			t.Fatalf("there is a message of %s", m.Role)
		}
	}
	d.press("r", "r", "r")
	d.sees("no system messages in this conversation")
	d.press("r")
	d.sees("r role: all")
}

func TestMessagesFold(t *testing.T) {
	t.Parallel()
	d := driveSample(t, fakehost.Head)
	v := openMessages(t, d, 1)
	out := strings.Repeat("one line of output\n", 30) + "the very last line"
	host, err := fakehost.Open(d.path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = host.Message(1, fakehost.Message{Role: "tool", Content: out, Parts: []fakehost.Part{{Type: "text", Text: out, ToolCallID: "call_1", ToolName: "exec"}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := host.Close(); err != nil {
		t.Fatal(err)
	}
	d.send(ui.ChangedMsg{External: true})
	if v.list.Index() != v.list.Len()-1 {
		t.Error("the cursor did not follow the newest message")
	}
	d.sees("↳ answer of exec", "… 19 more lines (t unfolds)")
	d.misses("the very last line")
	d.press("t", "tab", "G")
	d.sees("the very last line")
	d.press("t", "tab", "/")
	d.write("very last")
	d.press("enter")
	d.misses("more lines (t unfolds)") // What is searched isn't hidden.
}

// A change from outside leaves the cursor where it is unless it is at the end.
func TestMessagesKeepTheirPlace(t *testing.T) {
	t.Parallel()
	d := driveFile(t, long(t, 600))
	v := openMessages(t, d, 1)
	d.press("#")
	d.write("300")
	d.press("enter")
	before := d.screen(120, 36)
	host, err := fakehost.Open(d.path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := host.Message(1, fakehost.Message{Role: "user", Content: "one more"}); err != nil {
		t.Fatal(err)
	}
	if err := host.Close(); err != nil {
		t.Fatal(err)
	}
	d.send(ui.ChangedMsg{External: true})
	after := strings.NewReplacer("Messages 601", "Messages 600", "of 601", "of 600").Replace(d.screen(120, 36))
	body := func(s string) string { return strings.Join(strings.Split(s, "\n")[3:], "\n") }
	if v.at() != 300 || body(before) != body(after) {
		t.Errorf("the screen moved:\n%s\n%s", before, after)
	}
	d.press("G")
	d.sees("one more")
}

func TestMessagesOfDamagedFiles(t *testing.T) {
	t.Parallel()
	for _, fault := range []string{"hostile-text", "bad-values", "malformed-json", "huge-cell"} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			d := driveSample(t, fakehost.Head, fault)
			v := openMessages(t, d, 1)
			stats, err := lcm.ReadStats(t.Context(), d.env.DB, 1)
			if err != nil {
				t.Fatal(err)
			}
			d.press("g", "t")
			start := time.Now()
			n := int64(1)
			for ; ; n++ {
				d.clean(120, 36)
				before := v.at()
				if d.press("down"); v.at() == before {
					break
				}
			}
			d.press("enter")
			d.clean(80, 24)
			if n != stats.Messages {
				t.Errorf("%d of %d messages were seen", n, stats.Messages)
			}
			t.Logf("%d messages in %v", n, time.Since(start))
		})
	}
}

func TestMessagesSayWhatIsMalformed(t *testing.T) {
	t.Parallel()
	d := driveSample(t, fakehost.Head, "malformed-json")
	openMessages(t, d, 1)
	d.press("g", "down")
	d.sees("! the metadata of this part is not JSON:", `{"originalRole":"user","raw":`)
	d.press("down")
	d.sees("{path: internal/")
}

func TestMessagesOfEveryLevel(t *testing.T) {
	t.Parallel()
	for _, level := range append(fakehost.Levels(), fakehost.Beta, fakehost.Fork) {
		t.Run(string(level), func(t *testing.T) {
			t.Parallel()
			d := driveSample(t, level)
			v := openMessages(t, d, 1)
			if v.list.Len() == 0 {
				t.Errorf("no messages are shown:\n%s", d.screen(120, 36))
			}
			for _, size := range [][2]int{{120, 36}, {80, 24}, {40, 10}, {20, 5}} {
				d.clean(size[0], size[1])
			}
		})
	}
}

func TestEmptyConversation(t *testing.T) {
	t.Parallel()
	d := driveFile(t, long(t, 0))
	openMessages(t, d, 1)
	d.sees("no messages: the host stores the first one")
	d.press("g", "G", "n", "t", "s", "enter", "/", "esc", "#", "5", "enter", "down", "tab", "Y", "y", "r")
	d.clean(80, 24)
}

func TestMessageToItsSummary(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	d.press("enter", "g")
	v := d.app.Top().(*Messages)
	m, _ := v.list.Selected()
	d.press("s")
	s, ok := d.app.Top().(*Summaries)
	if !ok || s.Copy() != m.SummaryIDs[0] {
		t.Errorf("s goes to %T, not to summary %s:\n%s", d.app.Top(), m.SummaryIDs[0], d.screen(120, 36))
	}
}

func TestMessagesByMouse(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	d.press("enter")
	d.screen(120, 36)
	v := d.app.Top().(*Messages)
	click := func(x, y int) {
		d.app.View()
		d.send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
	}
	click(10, 5) // The first row: header, tabs, bar, frame and titles lie above.
	if v.at() != v.list.Visible()[0].Seq || v.ListScreen.textFocused {
		t.Errorf("a click on the first row goes to %d, the text has the focus: %v", v.at(), v.ListScreen.textFocused)
	}
	click(10, 5)
	if !v.ListScreen.textFocused {
		t.Error("a second click does not read")
	}
	click(10, 8)
	if v.ListScreen.textFocused || v.at() != v.list.Visible()[3].Seq {
		t.Errorf("a click on the list goes to %d, the text has the focus: %v", v.at(), v.ListScreen.textFocused)
	}
	click(100, 8)
	if !v.ListScreen.textFocused {
		t.Error("a click on the text does not give it the focus")
	}
	at := v.at()
	d.send(tea.MouseWheelMsg{X: 100, Y: 8, Button: tea.MouseWheelUp})
	if v.at() != at {
		t.Error("the wheel over the text moves the cursor")
	}
	click(60, 1)
	if _, ok := d.app.Top().(*Files); !ok {
		t.Errorf("a click on the tab shows %T", d.app.Top())
	}
}

// TestSearchFindsCallIDs: the call that a tool's message answers is shown, and found.
func TestSearchFindsCallIDs(t *testing.T) {
	t.Parallel()
	d := driveFile(t, spoken(t,
		fakehost.Message{Role: "user", Content: "look"},
		fakehost.Message{Role: "assistant", Parts: []fakehost.Part{{Type: "tool", ToolCallID: "toolu_77", ToolName: "exec", ToolInput: `{"command":"ls"}`}}},
		fakehost.Message{Role: "tool", Content: "README.md", Parts: []fakehost.Part{{Type: "tool", ToolCallID: "toolu_77", ToolName: "exec", ToolOutput: `"README.md"`}}},
	))
	v := openMessages(t, d, 1)
	d.press("g", "/")
	d.write("toolu_77")
	d.press("enter")
	d.sees("/ toolu_77   1 of 2", "toolu_77")
	if v.cursorSeq() != 2 {
		t.Errorf("the cursor is on %d", v.cursorSeq())
	}
	d.press("n")
	d.sees("2 of 2", "↳ answer of exec")
}

// TestTabsOfAConversationWithoutMessages: other tabs are reached from its empty list, and back.
func TestTabsOfAConversationWithoutMessages(t *testing.T) {
	t.Parallel()
	d := driveSample(t, fakehost.Head)
	d.exec("INSERT INTO conversations (conversation_id, session_id, active, created_at) VALUES (99, 's-99', 1, '2026-03-01 00:00:00')")
	d.open(99, tabMessages)
	d.press("2", "1", "]")
	if s, ok := d.app.Top().(*Summaries); !ok {
		t.Errorf("the next tab is %T", s)
	}
}

// TestForgottenMessagesAreMarked: the list and the text beside it say that a text was forgotten,
// in words.
func TestForgottenMessagesAreMarked(t *testing.T) {
	t.Parallel()
	path := long(t, 5)
	testdb.Forget(t, path, "seq = 5")
	d := driveFile(t, path)
	openMessages(t, d, 1)
	d.sees("forgotten  16 B of text", "forgotten: its text of 16 B was removed")
}
