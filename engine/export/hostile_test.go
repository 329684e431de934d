package export_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/jstext"
	"lcm-tui/data/lcm"
	"lcm-tui/data/transcript"
	"lcm-tui/engine/export"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// hostile are texts that try to get out of their place in some format.
var hostile = []string{
	"</script><script>alert(1)</script>", "]]> <!-- --> <![CDATA[", "```\n~~~~\n````js\n</details>\n# A heading", "### #1 user\n---\n[x](javascript:x)",
	"\x1b[2J\x07\u009b31m\u202e\x00\x7f", "half \xed\xa0\xbd a surrogate, \xff\xfe bytes", `"quotes" 'and' \back\slashes\n %% ;; --> subgraph end`,
	"<img src=x onerror=alert(1)> &amp; &#60;", "\u2028 \u2029 \ufffe", data.ForgottenText("user", 9, data.Time{}.Time, 120, []string{"file_00112233445566aa"}),
}

// hostileFile returns a database whose messages and summaries are the hostile texts, with damage in
// the graph.
func hostileFile(t *testing.T) *data.DB {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lcm.db")
	h, err := fakehost.Create(path, fakehost.V0_15)
	if err != nil {
		t.Fatal(err)
	}
	conv, err := h.Conversation(fakehost.Conversation{SessionKey: "agent:main:<b>\"x\"</b>", Title: hostile[0] + hostile[3], Active: true})
	for _, text := range hostile {
		var id int64
		if err == nil {
			id, err = h.Message(conv, fakehost.Message{Role: "user", Content: text})
		}
		if err == nil {
			_, err = h.Message(conv, fakehost.Message{Role: "assistant", Content: text})
		}
		if err == nil {
			_, err = h.Leaf(conv, []int64{id}, text, fakehost.SummaryOptions{})
		}
	}
	for _, q := range []string{
		// A cycle, a source that doesn't exist, a block that nobody knows, a call without an id, a message without parts, a time that is none.
		"INSERT INTO summary_parents SELECT a.summary_id, b.summary_id, 0 FROM summaries a, summaries b WHERE a.rowid + 1 = b.rowid",
		"INSERT INTO summary_parents SELECT b.summary_id, a.summary_id, 9 FROM summaries a, summaries b WHERE a.rowid = 1 AND b.rowid = 2",
		"PRAGMA foreign_keys = OFF",
		"INSERT INTO summary_parents SELECT summary_id, 'sum_gone<\"' || char(10), 8 FROM summaries WHERE rowid = 3",
		`UPDATE message_parts SET part_type = 'agent', text_content = NULL, metadata = '{"originalRole":"assistant","rawType":"odd","raw":{"type":"odd","deep":{"</script>":["\u0000",{}]}}}' WHERE message_id = 2`,
		`UPDATE message_parts SET part_type = 'tool', text_content = NULL, tool_name = 'a` + "`" + `b', tool_input = 'no json', metadata = '{"originalRole":"assistant","rawType":"toolCall","raw":{"type":"toolCall"}}' WHERE message_id = 4`,
		"DELETE FROM message_parts WHERE message_id = 5",
		"UPDATE messages SET created_at = 'not a <time>' WHERE message_id = 7",
		"UPDATE message_parts SET metadata = '{broken' WHERE message_id = 8",
	} {
		if err == nil {
			err = h.Exec(q)
		}
	}
	if err = errors.Join(err, h.Close()); err != nil {
		t.Fatal(err)
	}
	return testdb.Open(t, path)
}

// TestHostileTexts: whatever was said stays inside of its place in every format.
func TestHostileTexts(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	db := hostileFile(t)
	every := map[export.Format]string{}
	for _, f := range export.Formats {
		for _, c := range f.Contents() {
			every[f] = written(t, db, 1, export.Options{Format: f, Content: c, Version: "1", Files: export.FilesInline, AllRows: true})
			check := map[export.Format]func(*testing.T, string){
				export.HTML: wellFormed, export.Markdown: contained, export.OpenAI: paired, export.JSONL: linesOfJSON, export.OpenClaw: linesOfJSON,
				export.Claude: linesOfJSON, export.Dot: oneGraph, export.Mermaid: oneGraph,
			}[f]
			check(t, every[f])
		}
	}
	if !strings.Contains(every[export.JSONL], `"type":"context_item"`) && !strings.Contains(every[export.JSONL], `"type":"summary"`) {
		t.Error("jsonl holds no summaries")
	}
}

// tag matches a tag of HTML.
var tag = regexp.MustCompile(`<(/?)([a-z0-9]+)((?:\s+[\w-]+(?:="[^"<>]*")?)*)\s*>`)

// wellFormed checks that a page has only our elements, closed in order, with unique ids, links
// that lead somewhere, and nothing that loads or runs.
func wellFormed(t *testing.T, page string) {
	t.Helper()
	const allowed = " html head meta title style body header h1 h2 h3 span code p b section div svg a rect i details summary article time pre strong del footer ul li "
	rest := regexp.MustCompile(`(?s)<style>.*?</style>`).ReplaceAllString(strings.TrimPrefix(page, "<!DOCTYPE html>"), "")
	var open []string
	ids := map[string]bool{}
	for _, m := range tag.FindAllStringSubmatch(rest, -1) {
		name := m[2]
		if name != "title" && !strings.Contains(allowed, " "+name+" ") || regexp.MustCompile(`\s(on\w+|src|style)=`).MatchString(m[3]) {
			t.Errorf("the element %q", m[0])
		}
		switch {
		case name == "meta":
		case m[1] == "":
			open = append(open, name)
		case len(open) == 0 || open[len(open)-1] != name:
			t.Fatalf("%s closes %v", m[0], open)
		default:
			open = open[:len(open)-1]
		}
		if id := regexp.MustCompile(`\sid="([^"]*)"`).FindStringSubmatch(m[3]); id != nil {
			if ids[id[1]] || strings.ContainsAny(id[1], " \t\n") {
				t.Errorf("the id %q", id[1])
			}
			ids[id[1]] = true
		}
	}
	if len(open) > 0 {
		t.Errorf("not closed: %v", open)
	}
	if left := tag.ReplaceAllString(rest, ""); strings.ContainsAny(left, "<>") {
		i := strings.IndexAny(left, "<>")
		t.Errorf("markup in a text: %q", left[max(0, i-40):min(len(left), i+40)])
	}
	for _, m := range regexp.MustCompile(`href="([^"]*)"`).FindAllStringSubmatch(rest, -1) {
		if !strings.HasPrefix(m[1], "#") || !ids[m[1][1:]] {
			t.Errorf("a link to %q", m[1])
		}
	}
	if strings.Contains(page, "url(") || strings.Contains(page, "@import") || strings.ContainsAny(page, "\x00\x1b\x07\u009b\u202e\ufffe") {
		t.Error("the page loads something, or has control characters")
	}
}

// contained checks that a document has no heading, tag or fence that isn't ours.
func contained(t *testing.T, text string) {
	t.Helper()
	fence := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch {
		case fence != "":
			if strings.TrimSpace(line) == fence {
				fence = ""
			}
		case strings.HasPrefix(line, "```"):
			fence = line[:len(line)-len(strings.TrimLeft(line, "`"))]
		case strings.HasPrefix(line, ">"), line == "", strings.HasPrefix(line, "<details>"), line == "</details>", strings.HasPrefix(line, "Made from `"):
			if strings.Contains(line, "<script") || strings.Contains(line, "<img") {
				t.Errorf("a tag: %q", line)
			}
		case strings.HasPrefix(line, "#") && strings.Count(line, "\n") == 0:
		case strings.Contains("---", line), regexp.MustCompile(`^(title|conversation|session_id|session_key|state|first_message|last_message|holds|times|made_by): `).MatchString(line):
		case strings.HasPrefix(line, "Made from "):
		default:
			t.Errorf("a line that isn't ours: %q", line)
		}
	}
	if fence != "" {
		t.Errorf("a fence isn't closed: %s", fence)
	}
}

// paired checks that every call is answered right behind it, once.
func paired(t *testing.T, text string) {
	t.Helper()
	var all []struct {
		Role  string
		ID    string `json:"tool_call_id"`
		Calls []struct {
			ID       string
			Function struct{ Arguments string }
		} `json:"tool_calls"`
	}
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		t.Fatal(err)
	}
	var open []string
	for i, m := range all {
		if m.Role == "tool" {
			if len(open) == 0 || open[0] != m.ID {
				t.Errorf("message %d answers %q, awaited %q", i, m.ID, open)
				continue
			}
			open = open[1:]
			continue
		}
		if len(open) > 0 {
			t.Errorf("message %d stands before the results of %q", i, open)
		}
		open = nil
		for _, c := range m.Calls {
			open = append(open, c.ID)
		}
	}
	if len(open) > 0 {
		t.Errorf("calls without results: %q", open)
	}
}

func linesOfJSON(t *testing.T, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		if !jstext.Parse(strings.TrimSpace(line)).IsObject() || !json.Valid([]byte(line)) {
			t.Errorf("not a line of JSON: %.200q", line)
		}
	}
}

// oneGraph checks that every line of a graph is one of ours.
func oneGraph(t *testing.T, text string) {
	t.Helper()
	ours := regexp.MustCompile(`^(digraph conversation_\d+ \{|  label="(\\.|[^"\\])*"; .*|  (node|edge) \[.*\];|  \{ rank=same;|    n\d+ \[label="(\\.|[^"\\])*".*\];|  \}|  n\d+ -> n\d+;|\}|` +
		`%%\{init: .*|flowchart BT|  subgraph \w+\["[\w ]+"\]|    n\d+\["[^"\[\]{}` + "`" + `]*"\](:::\w+)?|  end|  n\d+ --> n\d+|  classDef .*)$`)
	for line := range strings.Lines(text) {
		if !ours.MatchString(strings.TrimRight(line, "\n")) {
			t.Errorf("a line that isn't ours: %q", line)
		}
	}
}

// TestCallsArePaired: the fixtures with unanswered, repeated and misplaced calls, and whole ones.
func TestCallsArePaired(t *testing.T) {
	t.Parallel()
	for _, name := range testlength.Some([]string{"hard/tools1.db", "v0.15.3/small.db", "hard/mixed1.db"}) {
		db := testdb.Open(t, testdb.Fixture(t, name))
		all, err := lcm.Conversations(t.Context(), db)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range all {
			for _, content := range export.OpenAI.Contents() {
				paired(t, written(t, db, c.ID, export.Options{Format: export.OpenAI, Content: content}))
			}
			wellFormed(t, written(t, db, c.ID, export.Options{Format: export.HTML}))
		}
	}
}

// TestClaudeExportIsReadAgain: our own reader of Claude Code's files finds every message.
func TestClaudeExportIsReadAgain(t *testing.T) {
	t.Parallel()
	db := testdb.Open(t, testdb.Fixture(t, "v0.15.3/small.db"))
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, []byte(written(t, db, 1, export.Options{Format: export.Claude})), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := transcript.Open(t.Context(), path)
	if err != nil || f.Kind != transcript.ClaudeCode {
		t.Fatal(f, err)
	}
	roles := map[string]int{}
	for e, err := range f.Entries(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		roles[e.Message.Field("role").Text()]++
	}
	stats, err := lcm.AllStats(t.Context(), db)
	if got := roles["user"] + roles["assistant"] + roles["toolResult"] + roles["system"]; err != nil || int64(got) != stats[1].Messages || roles["toolResult"] == 0 {
		t.Errorf("%v of %d, %v", roles, stats[1].Messages, err)
	}
}

// planted are secrets and names that an export must not hold.
var planted = []string{"sk_" + "live_51Hx9QpLkd83JsKq02nVbTzR4", "Zk3-pQ9v_tY7wX2", "agent:main:whatsapp:direct:+4915112345678", "+49 151 12345678", "/home/someone", "4915112345678"}

// TestRedactedExport: no planted secret, and with pseudonyms no key, phone number or home folder,
// is in any format.
func TestRedactedExport(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lcm.db")
	h, err := fakehost.Create(path, fakehost.V0_15)
	if err != nil {
		t.Fatal(err)
	}
	conv, err := h.Conversation(fakehost.Conversation{SessionKey: planted[2], Active: true})
	text := "the key is " + planted[0] + " for postgres://admin:" + planted[1] + "@db.internal/x, call " + planted[3] + " about " + planted[2] + ", see " + planted[4] + "/notes"
	if err == nil {
		_, err = h.Message(conv, fakehost.Message{Role: "user", Content: text})
	}
	var id int64
	if err == nil {
		id, err = h.Message(conv, fakehost.Message{Role: "assistant", Content: "ok " + text})
	}
	if err == nil {
		_, err = h.Leaf(conv, []int64{id}, "- "+text, fakehost.SummaryOptions{})
	}
	if err = errors.Join(err, h.Close()); err != nil {
		t.Fatal(err)
	}
	db := testdb.Open(t, path)
	for _, f := range export.Formats {
		r := export.NewRedactor()
		got := written(t, db, conv, export.Options{Format: f, Scrubber: export.Scrubbers{r, export.NewPseudonyms([]string{planted[2]})}})
		for _, p := range planted {
			if strings.Contains(got, p) {
				t.Errorf("%s holds %q", f, p)
			}
		}
		if f != export.Dot && f != export.Mermaid && (len(r.Replaced) < 2 || !strings.Contains(got, "[REDACTED:")) {
			t.Errorf("%s: replaced %v", f, r.Replaced)
		}
	}
}

// TestPlaces: where a file can't be made, and that nothing half-made is left.
func TestPlaces(t *testing.T) {
	t.Parallel()
	db := testdb.Open(t, testdb.Sample(t, fakehost.V0_15))
	c, err := lcm.ReadConversation(t.Context(), db, 1)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	there := filepath.Join(dir, "there.md")
	if err := os.WriteFile(there, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link.db")
	if err := os.Symlink(db.Path(), link); err != nil {
		t.Skip(err)
	}
	o := export.Options{Format: export.Markdown}
	to := func(ctx context.Context, path string, force bool) error {
		_, _, err := export.ToFile(ctx, db, []lcm.Conversation{c}, export.Target{Path: path, Force: force}, o, noReport)
		return err
	}
	for path, force := range map[string]bool{there: false, dir: true, db.Path(): true, db.Path() + "-wal": true, link: true, filepath.Join(dir, "none", "x"): true} {
		if err := to(t.Context(), path, force); hint.Of(err) == "" {
			t.Errorf("%s: %v", path, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := to(ctx, filepath.Join(dir, "cancelled.md"), false); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if err := to(t.Context(), there, true); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(there); err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info.Mode(), err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	if b, err := os.ReadFile(there); err != nil || !bytes.HasPrefix(b, []byte("---\ntitle: ")) {
		t.Errorf("%.40q %v", b, err)
	}
}
