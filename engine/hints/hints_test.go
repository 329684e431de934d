package hints_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/promoted"
	"lcm-tui/engine/hints"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testhome"
	"lcm-tui/internal/testlength"
)

// memory is a database with one conversation, of whose summaries each has some lines.
func memory(t testing.TB, lines []string) *data.DB {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lcm.db")
	w, err := fakehost.Create(path, fakehost.V0_15)
	testdb.Must(t, err)
	conv, err := w.Conversation(fakehost.Conversation{SessionID: "s1", SessionKey: "agent:p:claude-code:s1", Active: true})
	testdb.Must(t, err)
	const each = 8
	n := 0
	for chunk := range slices.Chunk(lines, each) {
		message, err := w.Message(conv, fakehost.Message{Role: "user", Content: fmt.Sprint("message ", n)})
		testdb.Must(t, err)
		_, err = w.Leaf(conv, []int64{message}, "- "+strings.Join(chunk, "\n- "))
		testdb.Must(t, err)
		n++
	}
	testdb.Must(t, w.Close())
	return testdb.Open(t, path)
}

// background returns real prose: the paragraphs of this project's documentation, a line each.
func background(t *testing.T) (lines []string) {
	t.Helper()
	files, err := filepath.Glob("../../docs/*.md")
	testdb.Must(t, err)
	for _, path := range append(files, "../../README.md", "../../CONTRIBUTING.md") {
		text, err := os.ReadFile(path)
		testdb.Must(t, err)
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSpace(line); len(line) > 40 && !strings.HasPrefix(line, "|") {
				lines = append(lines, line)
			}
		}
	}
	return lines
}

// lines returns the lines of a file in testdata.
func lines(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	testdb.Must(t, err)
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

// TestBar: of questions about facts that stand between much else, half and more get the fact, and of prompts that are
// about nothing recorded, one in ten at most gets anything.
func TestBar(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	all := background(t)
	facts := lines(t, "facts.txt")
	for i, f := range facts {
		fact, _, _ := strings.Cut(f, " | ")
		all = slices.Insert(all, (i*37)%len(all), fact)
	}
	db := memory(t, all)
	found, wrong := 0, []string{}
	for _, f := range facts {
		fact, question, _ := strings.Cut(f, " | ")
		got, err := hints.Request{Prompt: question, Conversations: []int64{1}}.Find(t.Context(), db)
		testdb.Must(t, err)
		if slices.ContainsFunc(got, func(h hints.Hint) bool { return strings.Contains(h.Text, string([]rune(fact)[:12])) }) {
			found++
		}
	}
	prompts := lines(t, "prompts.txt")
	for _, p := range prompts {
		got, err := hints.Request{Prompt: p, Conversations: []int64{1}}.Find(t.Context(), db)
		testdb.Must(t, err)
		if len(got) > 0 {
			wrong = append(wrong, fmt.Sprintf("%s -> %.2f %s", p, got[0].Coverage, got[0].Text))
		}
	}
	t.Logf("%d of %d facts, %d of %d prompts with a false hint:\n%s", found, len(facts), len(wrong), len(prompts), strings.Join(wrong, "\n"))
	if 2*found < len(facts) || 10*len(wrong) > len(prompts) {
		t.Error("the bar isn't passed")
	}
}

// TestPrompts: what a prompt gets, case by case.
func TestPrompts(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	db := memory(t, []string{
		"The staging gateway listens on port 7443. Nothing else is known of it.", "Login tokens expire after 15 minutes.",
		"ERR_POOL_DRAINED came from the second worker.", "网关监听端口 8443，因为 443 已被旧代理占用。", "Say \"gateway\" AND (port) NEAR * to nobody.",
	})
	entries := []promoted.Entry{{ID: "e1", Content: "Marta owns the Kafka cluster.", CreatedAt: data.Time{Time: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}}}
	for prompt, want := range map[string]string{
		"Which port does the staging gateway listen on?":    "The staging gateway listens on port 7443.",
		"which PORTS did that Gateway in staging listen to": "The staging gateway listens on port 7443.",
		"ERR_POOL_DRAINED again, why?":                      "ERR_POOL_DRAINED came from the second worker.",
		"网关监听哪个端口？":                                         "网关监听端口 8443，因为 443 已被旧代理占用。",
		"who owns the kafka cluster?":                       "Marta owns the Kafka cluster.",
		"ok":                                                "",
		"the port":                                          "", // Too short.
		"/compact the staging gateway port":                 "", // A command.
		"Which port does the production database use?":      "", // Another one.
		"The staging gateway listens on port 7443. Nothing else is known of it.":     "", // It says it itself.
		"Fix the failing test in the gateway":                                        "", // One word is chance.
		strings.Repeat("staging gateway listens port ", 100_000):                     "The staging gateway listens on port 7443.",
		"\x00\xff \"staging\" gateway* port: NEAR(listens, 3) OR ' -- AND staging )": "The staging gateway listens on port 7443.",
	} {
		got, err := hints.Request{Prompt: prompt, Conversations: []int64{1}, Entries: entries}.Find(t.Context(), db)
		testdb.Must(t, err)
		text := ""
		if len(got) > 0 {
			text = got[0].Text
		}
		if text != want {
			t.Errorf("%.80q gets %+v, expected %q", prompt, got, want)
		}
	}
	known := hints.Request{Prompt: "Which port does the staging gateway listen on?", Conversations: []int64{1}}
	got, err := known.Find(t.Context(), db)
	testdb.Must(t, err)
	known.Known = map[string]bool{got[0].ID: true}
	if got, err := known.Find(t.Context(), db); err != nil || len(got) > 0 {
		t.Errorf("what the session knows comes again: %v, %v", got, err)
	}
	known.Known, known.Conversations = nil, []int64{2}
	if got, err := known.Find(t.Context(), db); err != nil || len(got) > 0 {
		t.Errorf("another conversation's summary: %v, %v", got, err)
	}
}

// TestPromptsAtAHome: a home, which has no search tables, gives the hints of a file with the same rows.
func TestPromptsAtAHome(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	file := memory(t, []string{
		"The staging gateway listens on port 7443.", "Login tokens expire after 15 minutes.", "ERR_POOL_DRAINED came from src/pay.go.", "网关监听端口 8443，因为 443 已被旧代理占用。",
	})
	address := testhome.New(t)
	testhome.Fill(t, address, file.Path())
	home := testhome.Open(t, address)
	for _, prompt := range []string{"Which ports does the staging gateway listen on?", "ERR_POOL_DRAINED again in src/pay.go, why?", "网关监听哪个端口？", "Which port does the production database use?"} {
		r := hints.Request{Prompt: prompt, Conversations: []int64{1}}
		want, err := r.Find(t.Context(), file)
		testdb.Must(t, err)
		if got, err := r.Find(t.Context(), home); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %+v, of the file %+v", prompt, err, got, want)
		}
	}
}

// FuzzFind: no prompt makes an expression that the search table can't read.
func FuzzFind(f *testing.F) {
	for _, seed := range []string{`"a" OR b*`, "a_b.c:d/e #7 @x", "网关监听端口", "é è ñ 'quoted'", "{x}: ^y - z"} {
		f.Add(seed)
	}
	db := memory(f, []string{"The staging gateway listens on port 7443."})
	f.Fuzz(func(t *testing.T, prompt string) {
		if _, err := (hints.Request{Prompt: prompt, Conversations: []int64{1}}).Find(t.Context(), db); err != nil {
			t.Errorf("%q: %v", prompt, err)
		}
	})
}

// TestReplay: each prompt sees what was recorded before it, once in a session, and others' summaries count as false.
func TestReplay(t *testing.T) {
	t.Parallel()
	db := memory(t, []string{"The staging gateway listens on port 7443."})
	later := time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)
	ask := func(at time.Time) []hints.Prompt {
		p := hints.Prompt{Text: "Which port does the staging gateway listen on?", At: at}
		return []hints.Prompt{p, p}
	}
	projects := []hints.Project{
		{Name: "p", Sessions: []hints.Session{{Conversation: 1, Prompts: ask(later)}, {Conversation: 2, Prompts: ask(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC))}, {Conversation: 3, Prompts: ask(later)}}},
		{Name: "q", Sessions: []hints.Session{{Conversation: 4, Prompts: ask(later)}}},
	}
	var shown []hints.Shown
	got, err := hints.Replay(t.Context(), db, projects, 0, func(s hints.Shown) { shown = append(shown, s) })
	testdb.Must(t, err)
	// The first session has no past, the second one is before it, the third knows it after its first prompt.
	if want := (hints.Counts{Prompts: 8, Hinted: 1, Foreign: 8, False: 2}); got != want || len(shown) != 3 || shown[0].Conversation != 3 || !shown[1].Foreign {
		t.Errorf("got %+v, %+v, expected %+v", got, shown, want)
	}
}
