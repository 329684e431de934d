package retrieve_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/textsearch"
	"lcm-tui/engine/retrieve"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
)

func TestRegexSyntaxInWords(t *testing.T) {
	t.Parallel()
	for pattern, want := range map[string]string{
		`a|b`: "alternation", `a.*b`: "wildcard", `a.+`: "wildcard", `a.?`: "wildcard", `[ab]`: "character class", `^a`: "anchor", `a$`: "anchor",
		`a ^b`: "anchor", `a$ b`: "anchor", `\bfoo`: "regex character escape", `\d`: "regex character escape", `\S|x`: "regex character escape",
		`"a|b"`: "", `"\d" x`: "", `a.b`: "", `[]`: "", `a^b`: "", `US$5`: "", `\.`: "", `\|`: "", `[x`: "", `"open|`: "", ``: "", `\`: "",
	} {
		if got := retrieve.RegexSyntax(pattern); got != want {
			t.Errorf("%s: %q, want %q", pattern, got, want)
		}
	}
}

func TestPatternsThatFindNothing(t *testing.T) {
	t.Parallel()
	for pattern, want := range map[string]bool{
		"(a+)+": true, "(a*)*": true, "(a?){2}": true, "(a|b)*": true, "(?:a|b)+": true, "[open": true, "(": true, "a{2,1}": true, "*": true,
		strings.Repeat("a", 501): true, strings.Repeat("👍", 251): true,
		strings.Repeat("a", 500): false, strings.Repeat("👍", 250): false, "(a|b)": false, "(ab)+": false, "(?<=a+)b": false, `\p{L}`: false, "a{": false, "]": false, "": false,
	} {
		if got := retrieve.IsRefused(pattern); got != want {
			t.Errorf("/%.20s/: refused %v, want %v", pattern, got, want)
		}
	}
}

func TestPatternsThatAreTooLong(t *testing.T) {
	t.Parallel()
	db := testdb.Open(t, testdb.Sample(t, fakehost.Head))
	for name, c := range map[string]struct {
		pattern string
		mode    retrieve.GrepMode
		refused bool
	}{
		"500 words": {strings.Repeat("a ", 500), retrieve.FullText, false}, "501 words": {strings.Repeat("a ", 501), retrieve.FullText, true},
		"20,000 words": {strings.Repeat("(a ", 20_000), retrieve.FullText, true}, "500 phrases": {strings.Repeat(`"a b"`, 500), retrieve.FullText, false},
		"501 phrases": {strings.Repeat(`"a b"`, 501), retrieve.FullText, true}, "600 characters of CJK": {strings.Repeat("台", 600), retrieve.FullText, true},
		"one long word": {strings.Repeat("a", 60_000), retrieve.FullText, false}, "a word over 64 KB": {strings.Repeat("a", 1<<16+1), retrieve.FullText, true},
		"words of a regular expression": {strings.Repeat("a ", 501), retrieve.Regex, false}, "a regular expression over 64 KB": {strings.Repeat("a", 1<<16+1), retrieve.Regex, true},
	} {
		_, err := retrieve.GrepRequest{Pattern: c.pattern, Mode: c.mode}.Run(t.Context(), db, retrieve.AllConversations())
		var refused *retrieve.ToolError
		if errors.As(err, &refused) != c.refused || (err != nil) != c.refused {
			t.Errorf("grep for %s: %v", name, err)
		}
		if c.mode != retrieve.FullText {
			continue
		}
		_, err = retrieve.ExpandRequest{Query: c.pattern}.Run(t.Context(), db, retrieve.AllConversations())
		if errors.As(err, &refused) != c.refused || (err != nil) != c.refused {
			t.Errorf("expand with %s: %v", name, err)
		}
	}
}

func TestTimesAreReadAsJavaScriptReadsThem(t *testing.T) {
	t.Parallel()
	local := time.FixedZone("local", 2*60*60)
	for text, want := range map[string]string{
		"2026-01-05": "2026-01-05T00:00:00Z", "2026-01": "2026-01-01T00:00:00Z", "2026": "2026-01-01T00:00:00Z",
		"2026-01-05T10:00": "2026-01-05T08:00:00Z", "2026-01-05 10:00:30": "2026-01-05T08:00:30Z", "2026-01-05T10:00:00Z": "2026-01-05T10:00:00Z",
		"2026-01-05T10:00:00.250+05:30": "2026-01-05T04:30:00.25Z", "2026/1/5": "2026-01-04T22:00:00Z", "Jan 5, 2026": "2026-01-04T22:00:00Z",
		"2026-01-05 10:00:00 EST": "2026-01-05T15:00:00Z", "Mon, 05 Jan 2026 10:00:00 pdt": "2026-01-05T17:00:00Z", "2026-01-05 10:00 UTC": "2026-01-05T10:00:00Z",
		"2026-01-05T10:00:00+0530": "2026-01-05T04:30:00Z", "2026-01-05 10:00 -08:00": "2026-01-05T18:00:00Z", "2026-1-5": "2026-01-04T22:00:00Z",
		"2026-01-05T24:00:00Z": "2026-01-06T00:00:00Z", "2026-01-31 24:00": "2026-01-31T22:00:00Z", "2026-12-31T24:00:00.00+05:30": "2026-12-31T18:30:00Z",
		"2026-01-05T24:00:01Z": "", "2026-01-05T24:01Z": "", "2026-13-01": "", "2026-02-30": "2026-03-02T00:00:00Z", "yesterday": "", "5": "2001-04-30T22:00:00Z", "2026-01-05 10:00:00 CET": "", "Mon, 05 Jan 2026 10:00:00 BST": "",
		"Jan 5": "2001-01-04T22:00:00Z", "1/5/2026 09:30": "2026-01-05T07:30:00Z", "Jan 5, 2026 9:30 PM": "2026-01-05T19:30:00Z", "13:00 PM 1/5/2026": "",
		"Mon Jan 05 2026 10:00:00 GMT+0100 (Central European Time)": "2026-01-05T09:00:00Z", "5-Jan-26 12:00 am": "2026-01-04T22:00:00Z", "1/5/49": "2049-01-04T22:00:00Z",
		"99-1-5": "1999-01-04T22:00:00Z", "1/5": "2001-01-04T22:00:00Z", "2026-01-05T10": "", "20260105": "", "Jan 5 2026 10:00:30.1234": "2026-01-05T08:00:30.123Z", "1/2/3/4": "",
		"-000000": "", "+275760-09-13T00:00:00.001Z": "", "1/5/2026 10:00 +1": "2026-01-05T09:00:00Z", "1/5/2026 10:00 + 1": "", "5 of May": "", "on 5 May": "2001-05-04T22:00:00Z", "1/5/2026)": "",
	} {
		at, ok := retrieve.ParseJSTime(text, local)
		if ok != (want != "") || ok && at.UTC().Format(time.RFC3339Nano) != want {
			t.Errorf("%s: %v, %v, want %q", text, at.UTC(), ok, want)
		}
	}
}

func TestSnippetsAroundWords(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 30) + " needle " + strings.Repeat("b", 60)
	for _, c := range []struct{ text, term, want string }{
		{"needle", "needle", "needle"},
		{long, "needle", "..." + strings.Repeat("a", 23) + " needle " + strings.Repeat("b", 39) + "..."},
		{strings.Repeat("a", 80), "x", strings.Repeat("a", 80)},
		{strings.Repeat("a", 81), "x", strings.Repeat("a", 77) + "..."},
		{"Needle " + strings.Repeat("👍", 20), "needle", "Needle " + strings.Repeat("👍", 19) + "\ufffd..."}, // The 40th unit is half a pair.
	} {
		if got := retrieve.LikeSnippet(c.text, []string{c.term}); got != c.want {
			t.Errorf("%.20s: %q, want %q", c.text, got, c.want)
		}
	}
}

// conversation returns a database of one conversation and its messages, a minute apart.
func conversation(t testing.TB, texts ...string) *data.DB {
	t.Helper()
	path := t.TempDir() + "/lcm.db"
	w, err := fakehost.Create(path, fakehost.Head)
	if err == nil {
		err = w.Exec("INSERT INTO conversations (conversation_id, session_id, session_key) VALUES (1, 's', 'agent:main:main'), (2, 's', NULL)")
	}
	for i, text := range texts {
		if err == nil {
			at := time.Date(2026, 1, 5, 0, i, 0, 0, time.UTC).Format(time.DateTime)
			err = w.Exec("INSERT INTO messages (message_id, conversation_id, seq, role, content, token_count, created_at) VALUES (?, 1, ?, 'user', ?, 1, ?)", i+1, i+1, text, at)
		}
		if err == nil {
			err = w.Exec("INSERT INTO messages_fts (rowid, content) VALUES (?, ?)", i+1, text)
		}
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return testdb.Open(t, path)
}

func TestGrepHeader(t *testing.T) {
	t.Parallel()
	db := conversation(t, "one needle")
	r := retrieve.GrepRequest{Pattern: " needle ", Since: "2026-01-05", Mode: "full_text", Sort: "hybrid", In: "messages"}
	got, err := r.Run(t.Context(), db, retrieve.Conversations(2, 1))
	if err != nil {
		t.Fatal(err)
	}
	want := "## LCM Grep Results\n**Pattern:** `needle`\n**Mode:** full_text | **Scope:** messages | **Sort:** hybrid\n" +
		"**Conversation scope:** session family rooted at 2 (2 segments)\n**Time filter:** since 2026-01-05 00:00 UTC | before +∞\n**Total matches:** 1\n\n" +
		"### Messages\n\n- [conv=1 msg#1] (user, 2026-01-05 00:00 UTC): one needle\n"
	if got.Text() != want {
		t.Errorf("got\n%s\nwant\n%s", got.Text(), want)
	}
}

func TestGrepTextIsCut(t *testing.T) {
	t.Parallel()
	texts := make([]string, 200)
	for i := range texts {
		texts[i] = fmt.Sprintf("needle %d %s", i, strings.Repeat("long\n", 60))
	}
	got, err := retrieve.GrepRequest{Pattern: `needle[^]*`, Limit: 999}.Run(t.Context(), conversation(t, texts...), retrieve.AllConversations())
	if err != nil {
		t.Fatal(err)
	}
	text := got.Text()
	if got.Total != 200 || !strings.HasSuffix(text, "\n*(truncated — more results available)*\n") || len(text) < 39_000 || len(text) > 41_000 {
		t.Errorf("%d rows, %d bytes, the end is %q", got.Total, len(text), text[len(text)-80:])
	}
}

func TestRowsOnTheLimitsOfTime(t *testing.T) {
	t.Parallel()
	db := conversation(t, "needle", "needle", "needle")
	for _, mode := range []retrieve.GrepMode{"regex", "full_text"} {
		got, err := retrieve.GrepRequest{Pattern: "needle", Mode: mode, Since: "2026-01-05T00:01:00Z", Before: "2026-01-05T00:02:00Z"}.Run(t.Context(), db, retrieve.AllConversations())
		if err != nil || got.Total != 1 || got.Messages[0].ID != 2 {
			t.Errorf("%s: %+v, %v, want message 2: since is included, before isn't", mode, got, err)
		}
	}
}

// TestStoppedEarly: the text tells that not all was searched.
func TestStoppedEarly(t *testing.T) {
	t.Parallel()
	got, err := retrieve.GrepRequest{Pattern: `(?=x)y`, MaxTime: time.Nanosecond}.Run(t.Context(), conversation(t, "one", "two"), retrieve.AllConversations())
	if err != nil || !strings.Contains(got.Text(), "**Note:** the search was stopped early, at 2026-01-05 00:01 UTC") {
		t.Errorf("%v, %v", got, err)
	}
}

// TestOlderRowsThatAreLeftOut: a regular expression reads the newest rows of a table, and the text says where more are.
func TestOlderRowsThatAreLeftOut(t *testing.T) {
	t.Parallel()
	db := conversation(t, "one", "two", "three")
	for most, want := range map[int]string{2: "only the newest 2 messages were searched, back to 2026-01-05 00:01 UTC: `before` searches older ones", 3: "", 0: ""} {
		got, err := retrieve.GrepRequest{Pattern: "needle"}.OfNewest(most).Run(t.Context(), db, retrieve.AllConversations())
		if err != nil || strings.Join(got.Notes, "") != want || !strings.Contains(got.Text(), want) {
			t.Errorf("of %d: %v, %v", most, got, err)
		}
	}
}

// TestARefusedPatternIsNamed: what wasn't searched isn't said to hold no match.
func TestARefusedPatternIsNamed(t *testing.T) {
	t.Parallel()
	db := conversation(t, "one (two")
	for pattern, want := range map[string]string{
		"(": "no regular expression of JavaScript (Unterminated group): nothing was searched", "(?i)o": "(Invalid group): nothing was searched; full_text ignores case", "(o+)+": "could take forever", strings.Repeat("o", 501): "at most 500 characters", "nowhere": "",
	} {
		for _, in := range []retrieve.GrepIn{retrieve.InBoth, retrieve.InFiles} {
			got, err := retrieve.GrepRequest{Pattern: pattern, In: in, Folder: t.TempDir()}.Run(t.Context(), db, retrieve.AllConversations())
			if err != nil || want == "" && len(got.Notes) > 0 || want != "" && !strings.Contains(got.Text(), "**Note:** ") || !strings.Contains(got.Text(), want) {
				t.Errorf("/%.20s/ in %s: %+v, %v", pattern, in, got, err)
			}
		}
	}
}

// TestNotStoppedAtTheEnd: a search that ran out of time with the last row left nothing out.
func TestNotStoppedAtTheEnd(t *testing.T) {
	t.Parallel()
	got, err := retrieve.GrepRequest{Pattern: `(?=x)y`, MaxTime: time.Nanosecond}.Run(t.Context(), conversation(t, "one"), retrieve.AllConversations())
	if err != nil || strings.Contains(got.Text(), "stopped early") {
		t.Errorf("%v, %v", got, err)
	}
}

func TestNoScopeFindsNothing(t *testing.T) {
	t.Parallel()
	got, err := retrieve.GrepRequest{Pattern: "needle"}.Run(t.Context(), conversation(t, "needle"), retrieve.Scope{})
	if err != nil || got.Total != 0 {
		t.Errorf("%+v, %v", got, err)
	}
}

// FuzzQueryBuilding: whatever is looked for, SQLite takes the query.
func FuzzQueryBuilding(f *testing.F) {
	for _, s := range []string{`foo" OR bar*`, `NEAR(a b)`, `col:val -x`, `"`, `""`, "a\x00b", "\xff", "^a", `{a}`, "数据库连接池 a%b_c", "👍", "端 测试", `"a" "b" c"`, "*", "'"} {
		f.Add(s)
	}
	db := conversation(f, "needle")
	f.Fuzz(func(t *testing.T, query string) {
		ctx, filter := context.Background(), textsearch.GrepFilter{Scope: textsearch.AllConversations(), Limit: 1}
		if _, err := textsearch.GrepMessages.Match(ctx, db, textsearch.GrepQuery{Index: data.MessageIndex, Expression: retrieve.FTSQuery(query)}, filter, textsearch.GrepOrder{}, false); err != nil {
			t.Errorf("%q becomes %q: %v", query, retrieve.FTSQuery(query), err)
		}
		if !retrieve.HasCJK(query) {
			return
		}
		if _, err := textsearch.GrepSummaries.Match(ctx, db, textsearch.GrepQuery{Index: data.SummaryTrigrams, Expression: retrieve.Trigrams(query), Like: []string{query}}, filter, textsearch.GrepOrder{}, false); err != nil {
			t.Errorf("%q becomes %q: %v", query, retrieve.Trigrams(query), err)
		}
	})
}
