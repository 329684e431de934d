package search

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/engine/search"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testlength"
	"lcm-tui/ui"
	"lcm-tui/views"
	"lcm-tui/views/conversation"
	"lcm-tui/views/viewtest"
)

// fileWith makes a file with a conversation for each list of texts, a minute between them. The texts
// of the first conversation are the oldest.
func fileWith(t *testing.T, conversations ...[]string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lcm.db")
	h, err := fakehost.Create(path, fakehost.Head)
	if err != nil {
		t.Fatal(err)
	}
	at := viewtest.DemoNow.Add(-24 * time.Hour)
	err = h.Tx(func(h *fakehost.Writer) error {
		for i, texts := range conversations {
			conv, err := h.Conversation(fakehost.Conversation{SessionKey: "agent:main:" + []string{"harbour", "ledger", "tide"}[i], Active: true, At: at})
			if err != nil {
				return err
			}
			for k, text := range texts {
				at = at.Add(time.Minute)
				role := []string{"user", "assistant"}[k%2]
				if _, err := h.Message(conv, fakehost.Message{Role: role, Content: text, At: at}); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err == nil {
		err = h.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// harbours returns a file in which "lighthouse" is in three messages of two conversations.
func harbours(t *testing.T) string {
	t.Helper()
	return fileWith(t,
		[]string{"The lighthouse needs paint.", "I ordered red paint.", "Also white paint for the Lighthouse door.", "Done."},
		[]string{"What did the lighthouse cost?", "The ledger says 1,200."})
}

// searchFor opens the search and types a query.
func searchFor(d *viewtest.Driver, query string) *Search {
	d.T.Helper()
	d.Press("F")
	d.Write(query)
	v, ok := d.App.Top().(*Search)
	if !ok {
		d.T.Fatalf("F opened %s", d.App.Top().Title())
	}
	return v
}

// places returns the hits of the list in order, and in brackets the one under the cursor.
func (v *Search) places() string {
	var out []string
	for i, r := range v.hits.rows {
		p := r.place()
		if i == v.List.Index() {
			p = "[" + p + "]"
		}
		out = append(out, p)
	}
	return strings.Join(out, " ")
}

func (v *Search) wants(t *testing.T, want string) {
	t.Helper()
	if got := v.places(); got != want {
		t.Errorf("the list is %s, want %s", got, want)
	}
}

// TestEnterIsForWhatWasTyped: while the search for it has only begun, the list is still that of the query before, and
// enter waits for the first hit of the new one. Another key takes it back.
func TestEnterIsForWhatWasTyped(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveFile(t, harbours(t))
	v := searchFor(d, "paint")
	v.wants(t, "[conv:1 msg:3] conv:1 msg:2 conv:1 msg:1")
	begun := v.setQuery("lighthouse")
	d.Press("enter", "left")
	d.Run(begun)
	if d.App.Top() != ui.Screen(v) {
		t.Fatalf("%s is shown although another key came after enter", d.App.Top().Title())
	}
	begun = v.setQuery("ledger")
	if d.Press("enter"); d.App.Top() != ui.Screen(v) {
		t.Fatalf("enter went to a hit of the query before: %s", d.App.Top().Title())
	}
	d.Run(begun)
	d.Sees("agent:main:ledger › Messages", "n/N hit 1 of 1")
}

// TestAHitIsFoundVisitedAndWalked: type, look at the preview, go there, walk to the hits of
// other conversations, and come back to the row of the hit that was seen last.
func TestAHitIsFoundVisitedAndWalked(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveFile(t, harbours(t))
	d.Open(2, views.TabContext)
	v := searchFor(d, "lighthouse")
	v.wants(t, "[conv:2 msg:5] conv:1 msg:3 conv:1 msg:1")
	d.Press("down")
	d.Sees("3 hits", "I ordered red paint.", "┃ Also white paint for the Lighthouse door.", "in the context")
	d.Press("enter")
	d.Sees("agent:main:harbour › Messages", "n/N hit 2 of 3", "seq 3 of 4")
	d.Press("n")
	d.Sees("n/N hit 3 of 3", "seq 1 of 4")
	d.Press("n")
	d.Sees("this is the last hit")
	d.Press("N", "N")
	d.Sees("agent:main:ledger › Messages", "n/N hit 1 of 3")
	d.Press("s") // A tab in between: n isn't lost by looking around.
	d.Press("n")
	d.Sees("agent:main:harbour › Messages", "n/N hit 2 of 3")
	d.Press("esc")
	v.wants(t, "conv:2 msg:5 [conv:1 msg:3] conv:1 msg:1")
	if d.App.Top() != v || v.prompt.Value() != "lighthouse" {
		t.Errorf("esc leads to %s with %q", d.App.Top().Title(), v.prompt.Value())
	}
	d.Press("esc")
	if _, ok := d.App.Top().(*conversation.Context); !ok {
		t.Errorf("leaving the search leads to %s", d.App.Top().Title())
	}
}

// TestTheMatchIsSeenWhereAHitLeads: it is underlined, and a long text is scrolled to it.
func TestTheMatchIsSeenWhereAHitLeads(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveFile(t, fileWith(t, []string{strings.Repeat("Nothing of note.\n", 200) + "The lighthouse is dark.\n" + strings.Repeat("Nothing of note.\n", 200)}))
	searchFor(d, "lighthouses")
	d.Sees("┃ The lighthouse is dark.")
	d.Press("enter")
	d.Sees("› Messages", "The lighthouse is dark.")
	if raw := d.Raw(120, 36); !strings.Contains(raw, ui.UnderlineOn+"lighthouse") {
		t.Error("the match isn't underlined")
	}
}

// TestKeysOfTheSearch: letters type while the query has the keys; in the list they are keys.
func TestKeysOfTheSearch(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveFile(t, harbours(t))
	v := searchFor(d, "lighthouse")
	d.Press("tab", "x")
	v.wants(t, "[conv:1 msg:3] conv:1 msg:1")
	if got := v.prompt.Value(); got != "lighthouse -in:2" {
		t.Errorf("x made the query %q", got)
	}
	d.Press("y")
	if d.Clip != "conv:1 msg:3" {
		t.Errorf("y copied %q", d.Clip)
	}
	d.Press("Y")
	if d.Clip != "Also white paint for the Lighthouse door." {
		t.Errorf("Y copied %q", d.Clip)
	}
	d.Press("o", "o")
	d.Sees("oldest first")
	v.wants(t, "[conv:1 msg:1] conv:1 msg:3")
	d.Press("/", "ctrl+u")
	d.Write("Lighthouse xo")
	if got := v.prompt.Value(); got != "Lighthouse xo" {
		t.Errorf("the query is %q", got)
	}
	d.Press("backspace", "backspace", "backspace", "alt+c")
	d.Sees("match case")
	v.wants(t, "[conv:1 msg:3]")
}

// TestEveryKindOfHitIsVisited: a summary, a file, a brief and a part lead to the tab that shows
// them, with the cursor on them.
func TestEveryKindOfHitIsVisited(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	d := viewtest.DriveDemo(t)
	for _, c := range []struct {
		query string
		tab   int
	}{
		{"kind:message e*", views.TabMessages},
		{"kind:part e*", views.TabMessages},
		{"kind:condensed e*", views.TabSummaries},
		{"kind:leaf e*", views.TabSummaries},
		{"kind:file e*", views.TabFiles},
		{"kind:focus e*", views.TabFocus},
	} {
		v := searchFor(d, c.query)
		if v.List.Len() == 0 {
			t.Fatalf("%s finds nothing", c.query)
		}
		d.Press("down")
		r, _ := v.List.Selected()
		shown := d.Screen(120, 36)
		want := r.ID()
		if r.Message != 0 {
			want = views.Itoa(r.Message)
		}
		if !strings.Contains(shown, want) {
			t.Errorf("%s: the preview doesn't name %s:\n%s", c.query, want, shown)
		}
		d.Press("enter")
		if top := d.App.Top(); !strings.HasSuffix(top.Title(), views.TabNames[c.tab]) || top.(ui.Copier).Copy() != want {
			t.Errorf("%s: the hit %s leads to %s at %s", c.query, want, top.Title(), top.(ui.Copier).Copy())
		}
		d.Press("esc", "esc")
		if d.App.Depth() != 1 {
			t.Fatalf("%s: esc leads to %s", c.query, d.App.Top().Title())
		}
	}
}

// TestTheSearchNarrowsToItsConversation: a key limits the search to the conversation that it was
// opened from, and the same key undoes that.
func TestTheSearchNarrowsToItsConversation(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveFile(t, harbours(t))
	d.Open(1, views.TabMessages)
	v := searchFor(d, "lighthouse")
	d.Sees("alt+i only agent:main:harbour")
	d.Press("alt+i")
	v.wants(t, "[conv:1 msg:3] conv:1 msg:1")
	d.Press("alt+i")
	v.wants(t, "[conv:2 msg:5] conv:1 msg:3 conv:1 msg:1")
}

// TestTheSearchOpensWithItsLastQuery: the next text begins another one, a key of the list keeps it.
func TestTheSearchOpensWithItsLastQuery(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveFile(t, harbours(t))
	v := searchFor(d, "lighthouse")
	d.Press("down", "tab", "esc")
	if d.App.Depth() != 1 {
		t.Fatalf("esc in the list leads to %s", d.App.Top().Title())
	}
	d.Press("F")
	d.Sees("typing begins another query")
	d.Press("down")
	v.wants(t, "conv:2 msg:5 conv:1 msg:3 [conv:1 msg:1]")
	d.Press("tab", "esc", "F")
	d.Write("paint")
	if got := v.prompt.Value(); got != "paint" {
		t.Errorf("the query is %q", got)
	}
	d.Press("enter", "F")
	if d.App.Top() != v {
		t.Errorf("F above the search leads to %s", d.App.Top().Title())
	}
}

// TestThePaletteOpensTheSearch: by the word search, on any screen.
func TestThePaletteOpensTheSearch(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveFile(t, harbours(t))
	d.Open(1, views.TabSummaries)
	d.Palette("search")
	d.Press("enter")
	if _, ok := d.App.Top().(*Search); !ok {
		t.Errorf(":search leads to %s", d.App.Top().Title())
	}
}

// TestAQueryIsRemembered whatever follows it.
func TestAQueryIsRemembered(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, clear := range []string{"esc", "ctrl+u"} {
		d := viewtest.DriveFile(t, harbours(t))
		v := searchFor(d, "lighthouse")
		d.Press(clear, "ctrl+p")
		if got := v.prompt.Value(); got != "lighthouse" {
			t.Errorf("after %s, ctrl+p leads to %q", clear, got)
		}
	}
	d := viewtest.DriveFile(t, harbours(t))
	v := searchFor(d, "lighthouse")
	d.Press("tab", "x")
	if want := []string{"lighthouse", "lighthouse -in:2"}; !slices.Equal(v.history.queries, want) {
		t.Errorf("after x the history is %q, want %q", v.history.queries, want)
	}
}

// TestTheHistoryOfQueries is kept in a file that only its user can read, over runs of the
// program, each query once, at most a hundred.
func TestTheHistoryOfQueries(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path, db := filepath.Join(t.TempDir(), "lcm-tui", "searches"), harbours(t)
	drive := func() *viewtest.Driver {
		d := viewtest.DriveFile(t, db)
		d.Env.Queries = path
		return d
	}
	d := drive()
	for _, query := range []string{"paint", "lighthouse", "paint"} {
		searchFor(d, query)
		d.Press("enter", "esc", "esc")
	}
	searchFor(d, "paint white")
	d.Press("ctrl+u")
	d.Write(`pa\w+`)
	d.Press("ctrl+r", "tab")
	content, err := os.ReadFile(path)
	if want := "lighthouse\npaint\npaint white\n/pa\\w+/\n"; err != nil || string(content) != want {
		t.Errorf("the file holds %q (%v), want %q", content, err, want)
	}
	info, err := os.Stat(path)
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the mode of the file is %v (%v)", info.Mode(), err)
	}
	d = drive()
	v := searchFor(d, "cost")
	for _, step := range [][2]string{{"ctrl+p", `/pa\w+/`}, {"ctrl+p", "paint white"}, {"ctrl+n", `/pa\w+/`}, {"ctrl+n", "cost"}} {
		if d.Press(step[0]); v.prompt.Value() != step[1] {
			t.Errorf("%s leads to %q, want %q", step[0], v.prompt.Value(), step[1])
		}
	}
	for i := range maxQueries + 5 {
		if err := writeQuery(path, views.Itoa(int64(i))); err != nil {
			t.Fatal(err)
		}
	}
	queries, err := readQueries(path)
	if err != nil || len(queries) != maxQueries || queries[maxQueries-1] != views.Itoa(maxQueries+4) {
		t.Errorf("the file holds %d queries (%v)", len(queries), err)
	}
}

// TestHitsAreSaved in a new file, a line a hit as the command search prints it in JSON; a file that
// is there stays.
func TestHitsAreSaved(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveFile(t, harbours(t))
	path := filepath.Join(t.TempDir(), "hits.jsonl")
	save := func() {
		d.Press("ctrl+s", "ctrl+u")
		d.Write(path)
		d.Press("enter")
	}
	searchFor(d, "lighthouse")
	save()
	d.Sees("saved 3 hits")
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var ids []int64
	for line := range strings.Lines(string(content)) {
		var h struct {
			ID      int64  `json:"id"`
			Snippet string `json:"snippet"`
		}
		if err := json.Unmarshal([]byte(line), &h); err != nil || !strings.Contains(strings.ToLower(h.Snippet), "lighthouse") {
			t.Errorf("%s: %v", line, err)
		}
		ids = append(ids, h.ID)
	}
	if diff := cmp.Diff([]int64{5, 3, 1}, ids); diff != "" {
		t.Error(diff)
	}
	save()
	d.Sees("there is already a file")
}

// pausedSearch finds one hit, says how far it came, and then waits until it is cancelled.
func pausedSearch(cancelled chan<- string) views.SearchFunc {
	return func(ctx context.Context, q search.Query, _ search.Sort, emit func(search.Event)) error {
		at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
		emit(search.Found{Hits: []search.Hit{{Kind: search.MessageKind, Conversation: 1, Message: 3, Seq: 3, Role: "user", At: data.Time{Time: at}, Snippet: q.Text}}})
		emit(search.Progress{Kind: search.MessageKind, Back: at, Done: 0.25})
		<-ctx.Done()
		cancelled <- q.Text
		return ctx.Err()
	}
}

// TestEscStopsASearch that runs, says how far it came and keeps what was found; a key that changes
// the query stops it as well. Keys are taken while it runs.
func TestEscStopsASearch(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveFile(t, harbours(t))
	cancelled := make(chan string, 10)
	d.Env.Searches = pausedSearch(cancelled)
	v := NewSearch(d.Env)
	d.Send(ui.PushMsg{Screen: v})
	msgs := make(chan tea.Msg, 100) // The search doesn't end by itself, so its commands run beside the test.
	start := func(cmd tea.Cmd) {
		if cmd != nil {
			go func() { msgs <- cmd() }()
		}
	}
	take := func(msg tea.Msg) {
		if batch, ok := msg.(tea.BatchMsg); ok {
			for _, cmd := range batch {
				start(cmd)
			}
			return
		}
		_, cmd := d.App.Update(msg)
		start(cmd)
	}
	for _, key := range []string{"l", "i"} { // Each search runs before the next key.
		take(ui.Press(key))
		for v.List.Len() == 0 || v.run.progress.Back.IsZero() {
			take(<-msgs)
		}
		for rests := false; !rests; { // What the key led to is done: keys wait for that.
			select {
			case msg := <-msgs:
				take(msg)
			case <-time.After(50 * time.Millisecond):
				rests = true
			}
		}
	}
	d.Sees("li", "searched back to 2026-03-01 09:00 (25%) · esc stops", "esc stop")
	take(ui.Press("esc"))
	for query := ""; query != "li"; { // The search for l has begun or not when i is typed.
		if query = <-cancelled; query != "l" && query != "li" {
			t.Fatalf("the search for %q was cancelled", query)
		}
	}
	d.Sees("stopped; searched back to 2026-03-01 09:00", "esc clear")
	v.wants(t, "[conv:1 msg:3]")
	d.Press("esc")
	if v.prompt.Value() != "" || d.App.Top() != v {
		t.Errorf("the second esc leads to %s with %q", d.App.Top().Title(), v.prompt.Value())
	}
}

// TestOtherQueriesAreOffered where nothing was found, and searched only when one is chosen.
func TestOtherQueriesAreOffered(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveFile(t, harbours(t))
	d.Env.Searches = func(ctx context.Context, q search.Query, order search.Sort, emit func(search.Event)) error {
		if strings.Contains(q.Text, "hous") {
			emit(search.Suggested{Suggestion: search.Suggestion{Reason: "without filters", Query: "hut", Count: 1}})
			emit(search.Suggested{Suggestion: search.Suggestion{Reason: "words that begin so", Query: "lighthouse", Count: 3}})
			return nil
		}
		return searchDatabase(d.Env, nil)(ctx, q, order, emit)
	}
	v := searchFor(d, "lighthous role:tool")
	d.Sees("Nothing was found.", "1 hut   without filters · 1 hit", "2 lighthouse   words that begin so · 3 hits")
	d.Env.Searches = nil
	d.Press("down", "enter")
	v.wants(t, "[conv:2 msg:5] conv:1 msg:3 conv:1 msg:1")
	if v.prompt.Value() != "lighthouse" {
		t.Errorf("the query is %q", v.prompt.Value())
	}
}

// TestTheListStaysWhenTheFileChanges: what was found isn't searched again under the cursor.
func TestTheListStaysWhenTheFileChanges(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveFile(t, harbours(t))
	v := searchFor(d, "lighthouse")
	d.Press("down")
	d.Send(ui.ChangedMsg{External: true})
	v.wants(t, "conv:2 msg:5 [conv:1 msg:3] conv:1 msg:1")
}

// TestUnknownFiltersAreNamed: under the query; the text is searched all the same.
func TestUnknownFiltersAreNamed(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveFile(t, harbours(t))
	searchFor(d, "lighthouse colour:red")
	if screen, note := d.Screen(100, 30), "no such filter: colour"; strings.Count(screen, note) != 1 {
		t.Errorf("%q should stand there once:\n%s", note, screen)
	}
	d.Press("ctrl+u")
	d.Write("/(/")
	d.Sees(" ~ ")
}

// TestNothingIsFound: the empty list says what to try next, and how far a search came that was
// stopped.
func TestNothingIsFound(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	d := viewtest.DriveFile(t, harbours(t))
	for query, advice := range map[string]string{
		"qqqq":             "nothing found: try fewer words, or others",
		"role:tool":        "nothing found: take one of the filters away",
		"qqqq role:tool":   "nothing found: try other words; the filters aren't the reason",
		"lighthouse qqqqq": "nothing found: try fewer words, or others",
	} {
		searchFor(d, query)
		d.Sees(advice)
		d.Press("ctrl+u", "esc")
	}
}

// TestNoAnswerStandsBeforeASearchHasRead: until something was read, a new query is being searched,
// also where the query before it found nothing.
func TestNoAnswerStandsBeforeASearchHasRead(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveFile(t, harbours(t))
	searchFor(d, "qqqq")
	d.Sees("nothing found")
	d.App.Update(ui.Press("l")) // What the key leads to doesn't run.
	d.Sees("searching…")
	d.Misses("nothing found")
}

// TestHostileHits: escape sequences, scripts without blanks, emoji and accents in what is found
// reach the terminal as text, at every size.
func TestHostileHits(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveFile(t, fileWith(t, []string{
		"\x1b[31mred\x1b[0m \x1b]0;title\x07 beacon \u202eteg \x00 end",
		"灯台の光 beacon 灯台守が眠る夜 beacon",
		"beacon 👩‍👩‍👧‍👦 family \U0001F3F4\u200d\u2620\ufe0f flag",
		"cafe\u0301 beacon Zoe\u0308 a\u0300\u0301\u0302\u0303 stack",
		strings.Repeat("long ", 400) + "beacon" + strings.Repeat(" tail", 400),
	}))
	v := searchFor(d, "beacon")
	if len(v.hits.rows) != 5 {
		t.Fatalf("%d hits", len(v.hits.rows))
	}
	for range v.hits.rows {
		for _, size := range [][2]int{{80, 24}, {120, 36}, {200, 50}, {20, 6}} {
			d.Clean(size[0], size[1])
		}
		d.Press("down")
	}
	d.Press("up")
	d.GoldenAt([2]int{80, 24}, [2]int{120, 36}, [2]int{200, 50})
	d.Press("tab", "tab")
	d.Clean(80, 24)
}

// TestTheSearchKeepsTenThousandHits and draws those that are seen.
func TestTheSearchKeepsTenThousandHits(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveFile(t, harbours(t))
	d.Env.Searches = func(_ context.Context, _ search.Query, _ search.Sort, emit func(search.Event)) error {
		for i := range search.MaxHits {
			emit(search.Found{Hits: []search.Hit{{Kind: search.MessageKind, Conversation: 1, Message: int64(i + 1), At: data.Time{Time: viewtest.DemoNow.Add(-time.Duration(i) * time.Second)}}}})
		}
		emit(search.Counted{Total: search.MaxHits, More: true})
		return nil
	}
	v := searchFor(d, "x")
	d.Sees("10,000+ hits")
	if v.List.Len() != search.MaxHits {
		t.Errorf("%d rows", v.List.Len())
	}
	d.Screen(80, 24)
	if got := len(v.List.Visible()); got > 24 {
		t.Errorf("%d rows are drawn", got)
	}
}

// TestRowsOfHitsStay: a hit that had a row keeps it, wherever others come between.
func TestRowsOfHitsStay(t *testing.T) {
	t.Parallel()
	hit := func(id int64) *search.Hit { return &search.Hit{Kind: search.MessageKind, Message: id} }
	before := hitRows([]*search.Hit{hit(5), hit(3), hit(1)}, nil)
	after := hitRows([]*search.Hit{hit(5), hit(4), hit(1), hit(3), hit(0)}, before)
	for i, want := range []*hitRow{before[0], nil, before[2], before[1], nil} {
		if want != nil && after[i] != want {
			t.Errorf("row %d is another one", i)
		}
	}
	for i, id := range []int64{5, 4, 1, 3, 0} {
		if after[i].Message != id || after[i].ref != "message msg:"+views.Itoa(id)+" " {
			t.Errorf("row %d is %s, want message %d", i, after[i].ref, id)
		}
	}
}
