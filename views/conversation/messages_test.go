package conversation

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
	"lcm-tui/internal/testlength"
	"lcm-tui/ui"
	"lcm-tui/views"
	"lcm-tui/views/viewtest"
)

func openMessages(t *testing.T, d *viewtest.Driver, conv int64) *Messages {
	t.Helper()
	return d.Open(conv, views.TabMessages).(*Messages)
}

// at returns the seq under the cursor.
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
		d := viewtest.DriveDemo(t)
		d.Press("enter")
		d.Goldens()
	})
	t.Run("tool call", func(t *testing.T) {
		t.Parallel()
		d := viewtest.DriveDemo(t)
		d.Press("enter", "#")
		d.Write("629")
		d.Press("enter", "enter")
		d.Goldens()
	})
	t.Run("search", func(t *testing.T) {
		t.Parallel()
		d := viewtest.DriveDemo(t)
		d.Press("enter", "/")
		d.Write("timeout")
		d.Press("enter")
		d.Goldens()
	})
}

func TestMessagesPageInBothDirections(t *testing.T) {
	t.Parallel()
	messages, pages := int64(3000), 115
	if testlength.Short() {
		messages, pages = 1200, 46 // Still several windows of what is read at once.
	}
	d := viewtest.DriveFile(t, viewtest.Long(t, int(messages)))
	v := openMessages(t, d, 1)
	if v.at() != messages {
		t.Fatalf("opens at %d", v.at())
	}
	for range pages {
		before := v.at()
		d.Press("pgup")
		v.whole(t)
		if v.at() >= before && before != 1 {
			t.Fatalf("pgup at %d went to %d", before, v.at())
		}
	}
	if v.at() != 1 || !v.window.atStart {
		t.Fatalf("pages up end at %d", v.at())
	}
	for range pages {
		d.Press("pgdown")
		v.whole(t)
	}
	if v.at() != messages || !v.window.atEnd {
		t.Fatalf("pages down end at %d", v.at())
	}
	d.Press("g")
	v.whole(t)
	if v.at() != 1 {
		t.Errorf("g goes to %d", v.at())
	}
	d.Press("G")
	if v.at() != messages {
		t.Errorf("G goes to %d", v.at())
	}
}

// TestMessagesScrollWithoutJumps: going up message by message, no line may jump when older ones are read.
func TestMessagesScrollWithoutJumps(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveFile(t, viewtest.Long(t, 3000))
	v := openMessages(t, d, 1)
	line := func() int {
		for i, l := range strings.Split(d.Screen(120, 36), "\n") {
			if strings.Contains(l, "▌") {
				return i
			}
		}
		return -1
	}
	for range 140 {
		v.List.Move(-1)
	}
	last := line()
	for i := range 130 {
		d.Press("up")
		now := line()
		if now > last+1 || now < last-2 {
			t.Fatalf("after %d steps, at %d, the cursor jumped from line %d to %d", i, v.at(), last, now)
		}
		last = now
	}
}

func TestMessagesOfTheFixtures(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	d := viewtest.DriveFile(t, viewtest.Fixture(t, "v0.15.3/rich.db"))
	v := openMessages(t, d, 1)
	for _, k := range []string{"pgup", "pgdown"} {
		seen := map[int64]bool{}
		for range 115 {
			d.Press(k)
			v.whole(t)
			d.App.View()
			for _, m := range v.List.Visible() {
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
	testlength.Long(t)
	d := viewtest.DriveFile(t, viewtest.Long(t, 3000))
	v := openMessages(t, d, 1)
	for text, want := range map[string]int64{
		"1,500": 1500, "id 77": 77, "id2999": 2999, "2026-03-18 10:30": 2999, "2026-03-17": 2964,
		"2031-01-01": 3000,
	} {
		d.Press("#")
		d.Write(text)
		d.Press("enter")
		if v.at() != want {
			t.Errorf("%q goes to %d, want %d", text, v.at(), want)
		}
		v.whole(t)
	}
	// A message that there isn't leaves the cursor where it is.
	here := v.at()
	for _, text := range []string{"99999", "0", "-3", "3,001"} {
		d.Press("#")
		d.Write(text)
		d.Press("enter")
		d.Sees("there is no message of seq " + ui.Num(number(text)))
		if v.at() != here {
			t.Errorf("%q goes to %d", text, v.at())
		}
		d.Press("esc")
	}
	d.Press("#")
	d.Write("yesterday")
	d.Press("enter")
	d.Sees("yesterday", "“yesterday” is no seq") // The text stays, with the reason beside it.
	d.Press("esc")
	d.Press("#")
	d.Write("id 4000")
	d.Press("enter")
	d.Sees("4000")
	d.Run(v.goTo(42))
	if v.at() != 42 {
		t.Errorf("goTo goes to %d", v.at())
	}
}

// A seq that a gap has in its place is no message.
func TestMessagesGoToAGap(t *testing.T) {
	t.Parallel()
	path := viewtest.Long(t, 20)
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
	d := viewtest.DriveFile(t, path)
	v := openMessages(t, d, 1)
	here := v.at()
	d.Press("#")
	d.Write("9")
	d.Press("enter")
	d.Sees("there is no message of seq 9")
	if v.at() != here {
		t.Errorf("the cursor is at %d", v.at())
	}
}

// TestMessagesGoToBeforeShown: another screen says goTo before the tab was ever shown.
func TestMessagesGoToBeforeShown(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveFile(t, viewtest.Long(t, 3000))
	d.Open(1, views.TabFocus)
	hub := d.App.Top().(*Focus).Hub
	v := hub.Tab(views.TabMessages).(*Messages)
	d.Queue = append(d.Queue, v.goTo(1234))
	d.Run(hub.Show(views.TabMessages))
	if v.at() != 1234 {
		t.Errorf("the cursor is at %d", v.at())
	}
	d.Sees("message number 1234", "seq 1,234 of 3,000")
}

func TestMessagesSearch(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	d := viewtest.DriveFile(t, viewtest.Long(t, 3000))
	v := openMessages(t, d, 1)
	d.Press("/")
	d.Write("A hundredTH")
	d.Press("enter")
	var got []int64
	for _, k := range []string{"N", "N", "n", "n", "n", "g", "n", "n"} {
		got = append(got, v.at())
		d.Press(k)
	}
	got = append(got, v.at())
	if fmt.Sprint(got) != "[3000 2900 2800 2900 3000 100 1 100 200]" {
		t.Errorf("matches: %v", got)
	}
	if raw := d.Raw(120, 36); !strings.Contains(raw, "\x1b[4ma Hundredth") && !strings.Contains(raw, "\x1b[4m") {
		t.Error("the match is not underlined")
	}
	d.Press("esc", "/")
	d.Write("no such words")
	d.Press("enter")
	d.Sees("no message of this conversation holds “no such words”")
}

// TestAMatchIsSeenInItsRow: also one behind the start of a long text, which the list doesn't hold, and one in an
// argument of a call that the row leaves out; the running text begins at it.
func TestAMatchIsSeenInItsRow(t *testing.T) {
	t.Parallel()
	far := strings.Repeat("Nothing of note here. ", 400)
	d := viewtest.DriveFile(t, spoken(t,
		fakehost.Message{Role: "user", Content: far + "The İstanbul lighthouse is dark. " + far},
		fakehost.Message{Role: "assistant", Content: "I look.", Parts: []fakehost.Part{{Type: "tool", ToolName: "exec", ToolInput: `{"command":"ls","workdir":"/srv/lighthouse"}`}}},
	))
	openMessages(t, d, 1)
	for _, size := range [][2]int{{80, 24}, {120, 36}} {
		d.Raw(size[0], size[1])
		d.Press("g", "/", "ctrl+u")
		d.Write("LIGHTHOUSE")
		d.Press("enter")
		for _, want := range []string{"İstanbul lighthouse", "/srv/lighthouse"} {
			_, row, _ := strings.Cut(d.Screen(size[0], size[1]), "▌")
			row, _, _ = strings.Cut(row, "\n")
			if !strings.Contains(row, want) {
				t.Errorf("%d × %d: %q isn't in the row %q", size[0], size[1], want, row)
			}
			d.Press("n")
		}
		d.Press("v")
		if got := d.Screen(size[0], size[1]); !strings.Contains(got, "İstanbul lighthouse is dark") {
			t.Errorf("the running text doesn't begin at the match:\n%s", got)
		}
		d.Press("esc", "esc")
	}
}

func TestMessagesByRole(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	d.Press("enter", "r")
	d.Sees("only user", "r role: user")
	d.Misses("] go ")
	v := d.App.Top().(*Messages)
	for _, m := range v.window.items {
		if m.Role != "user" {
			t.Fatalf("there is a message of %s", m.Role)
		}
	}
	d.Press("r", "r", "r")
	d.Sees("no system messages in this conversation")
	d.Press("r")
	d.Sees("r role: all")
}

func TestMessagesFold(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveSample(t, fakehost.Head)
	v := openMessages(t, d, 1)
	out := strings.Repeat("one line of output\n", 30) + "the very last line"
	host, err := fakehost.Open(d.Path)
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
	d.Send(ui.ChangedMsg{External: true})
	if v.List.Index() != v.List.Len()-1 {
		t.Error("the cursor did not follow the newest message")
	}
	d.Sees("↳ answer of exec", "… 19 more lines (t unfolds)")
	d.Misses("the very last line")
	d.Press("t", "tab", "G")
	d.Sees("the very last line")
	d.Press("t", "tab", "/")
	d.Write("very last")
	d.Press("enter")
	d.Misses("more lines (t unfolds)") // What is searched isn't hidden.
}

// A change from outside leaves the cursor where it is unless it is at the end.
func TestMessagesKeepTheirPlace(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveFile(t, viewtest.Long(t, 600))
	v := openMessages(t, d, 1)
	d.Press("#")
	d.Write("300")
	d.Press("enter")
	before := d.Screen(120, 36)
	host, err := fakehost.Open(d.Path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := host.Message(1, fakehost.Message{Role: "user", Content: "one more"}); err != nil {
		t.Fatal(err)
	}
	if err := host.Close(); err != nil {
		t.Fatal(err)
	}
	d.Send(ui.ChangedMsg{External: true})
	after := strings.NewReplacer("Messages 601", "Messages 600", "of 601", "of 600").Replace(d.Screen(120, 36))
	body := func(s string) string { return strings.Join(strings.Split(s, "\n")[3:], "\n") }
	if v.at() != 300 || body(before) != body(after) {
		t.Errorf("the screen moved:\n%s\n%s", before, after)
	}
	d.Press("G")
	d.Sees("one more")
}

func TestMessagesOfDamagedFiles(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, fault := range []string{"hostile-text", "bad-values", "malformed-json", "huge-cell"} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			d := viewtest.DriveSample(t, fakehost.Head, fault)
			v := openMessages(t, d, 1)
			stats, err := lcm.ReadStats(t.Context(), d.Env.DB, 1)
			if err != nil {
				t.Fatal(err)
			}
			d.Press("g", "t")
			start := time.Now()
			n := int64(1)
			for ; ; n++ {
				d.Clean(120, 36)
				before := v.at()
				if d.Press("down"); v.at() == before {
					break
				}
			}
			d.Press("enter")
			d.Clean(80, 24)
			if n != stats.Messages {
				t.Errorf("%d of %d messages were seen", n, stats.Messages)
			}
			t.Logf("%d messages in %v", n, time.Since(start))
		})
	}
}

func TestMessagesSayWhatIsMalformed(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveSample(t, fakehost.Head, "malformed-json")
	openMessages(t, d, 1)
	d.Press("g", "down")
	d.Sees("! the metadata of this part is not JSON:", `{"originalRole":"user","raw":`)
	d.Press("down")
	d.Sees("{path: internal/")
}

func TestMessagesOfEveryLevel(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, level := range append(fakehost.Levels(), fakehost.Beta, fakehost.Fork) {
		t.Run(string(level), func(t *testing.T) {
			t.Parallel()
			d := viewtest.DriveSample(t, level)
			v := openMessages(t, d, 1)
			if v.List.Len() == 0 {
				t.Errorf("no messages are shown:\n%s", d.Screen(120, 36))
			}
			for _, size := range [][2]int{{120, 36}, {80, 24}, {40, 10}, {20, 5}} {
				d.Clean(size[0], size[1])
			}
		})
	}
}

func TestEmptyConversation(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveFile(t, viewtest.Long(t, 0))
	openMessages(t, d, 1)
	d.Sees("no messages: the host stores the first one")
	d.Press("g", "G", "n", "t", "s", "enter", "/", "esc", "#", "5", "enter", "down", "tab", "Y", "y", "r")
	d.Clean(80, 24)
}

func TestMessageToItsSummary(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	d.Press("enter", "g")
	v := d.App.Top().(*Messages)
	m, _ := v.List.Selected()
	d.Press("s")
	s, ok := d.App.Top().(*Summaries)
	if !ok || s.Copy() != m.SummaryIDs[0] {
		t.Errorf("s goes to %T, not to summary %s:\n%s", d.App.Top(), m.SummaryIDs[0], d.Screen(120, 36))
	}
}

func TestMessagesByMouse(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	d.Press("enter")
	d.Screen(120, 36)
	v := d.App.Top().(*Messages)
	click := func(x, y int) {
		d.App.View()
		d.Send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
	}
	click(10, 5) // The first row: header, tabs, bar, frame and titles lie above.
	if v.at() != v.List.Visible()[0].Seq || v.ListScreen.TextFocused {
		t.Errorf("a click on the first row goes to %d, the text has the focus: %v", v.at(), v.ListScreen.TextFocused)
	}
	click(10, 5)
	if !v.ListScreen.TextFocused {
		t.Error("a second click does not read")
	}
	click(10, 8)
	if v.ListScreen.TextFocused || v.at() != v.List.Visible()[3].Seq {
		t.Errorf("a click on the list goes to %d, the text has the focus: %v", v.at(), v.ListScreen.TextFocused)
	}
	click(100, 8)
	if !v.ListScreen.TextFocused {
		t.Error("a click on the text does not give it the focus")
	}
	at := v.at()
	d.Send(tea.MouseWheelMsg{X: 100, Y: 8, Button: tea.MouseWheelUp})
	if v.at() != at {
		t.Error("the wheel over the text moves the cursor")
	}
	click(60, 1)
	if _, ok := d.App.Top().(*Files); !ok {
		t.Errorf("a click on the tab shows %T", d.App.Top())
	}
}

// TestSearchFindsCallIDs: the call that a tool's message answers is shown, and found.
func TestSearchFindsCallIDs(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveFile(t, spoken(t,
		fakehost.Message{Role: "user", Content: "look"},
		fakehost.Message{Role: "assistant", Parts: []fakehost.Part{{Type: "tool", ToolCallID: "toolu_77", ToolName: "exec", ToolInput: `{"command":"ls"}`}}},
		fakehost.Message{Role: "tool", Content: "README.md", Parts: []fakehost.Part{{Type: "tool", ToolCallID: "toolu_77", ToolName: "exec", ToolOutput: `"README.md"`}}},
	))
	v := openMessages(t, d, 1)
	d.Press("g", "/")
	d.Write("toolu_77")
	d.Press("enter")
	d.Sees("/ toolu_77   1 of 2", "toolu_77")
	if v.cursorSeq() != 2 {
		t.Errorf("the cursor is on %d", v.cursorSeq())
	}
	d.Press("n")
	d.Sees("2 of 2", "↳ answer of exec")
}

// TestTabsOfAConversationWithoutMessages: other tabs are reached from its empty list, and back.
func TestTabsOfAConversationWithoutMessages(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveSample(t, fakehost.Head)
	d.Exec("INSERT INTO conversations (conversation_id, session_id, active, created_at) VALUES (99, 's-99', 1, '2026-03-01 00:00:00')")
	d.Open(99, views.TabMessages)
	d.Press("2", "1", "]")
	if s, ok := d.App.Top().(*Summaries); !ok {
		t.Errorf("the next tab is %T", s)
	}
}

// TestForgottenMessagesAreMarked: the list and the text beside it say that a text was forgotten,
// in words.
func TestForgottenMessagesAreMarked(t *testing.T) {
	t.Parallel()
	path := viewtest.Long(t, 5)
	testdb.Forget(t, path, "seq = 5")
	d := viewtest.DriveFile(t, path)
	openMessages(t, d, 1)
	d.Sees("forgotten  16 B of text", "forgotten: its text of 16 B was removed")
}

// TestAnAnswerThatOnlyTheMetadataHas is shown in the list, beside it and in the running text: a model gets it from there.
func TestAnAnswerThatOnlyTheMetadataHas(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveFile(t, spoken(t, fakehost.Message{Role: "tool", Parts: []fakehost.Part{{Type: "tool", ToolCallID: "call_1", ToolName: "read", Metadata: `{"originalRole":"toolResult",
		"rawType":"tool_result","raw":{"type":"tool_result","tool_use_id":"call_1","content":[{"type":"text","text":"the tide table"},{"type":"text","text":"` + strings.Repeat("of Monday ", 400) + `"}]}}`}}}))
	d.Exec("UPDATE message_parts SET text_content = NULL, tool_output = NULL")
	d.Open(1, views.TabMessages)
	d.Sees("↳ the tide table of Monday", "↳ answer of read", "│ of Monday")
	d.Press("v")
	d.Sees("↳ the tide table")
}
