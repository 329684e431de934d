package search_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/engine/search"
)

var update = flag.Bool("update", false, "write the goldens")

// now is the present of all tests: a Wednesday.
var now = time.Date(2026, 1, 7, 12, 0, 0, 0, time.UTC)

// parses are queries of every form of the language.
var parses = []string{
	`tenant_id role:tool after:2026-01-05`,
	`deploy failed`,
	`"connection pool"`,
	`"not closed yet`,
	`""`,
	`deploy -test`,
	`-"connection pool" retry`,
	`migr*`,
	`migr** *`,
	`/OPS-\d+/`,
	`/two words/ three`,
	`/not closed`,
	`/usr/local/bin`,
	`/[unclosed/`,
	`-/retry \d+/ pool`,
	`a OR b`,
	`a OR b c OR d OR e`,
	`OR a OR`,
	`or a`,
	`in:2,5`,
	`in:"Tidewater, Inc" role:user`,
	`-in:2 word`,
	`agent:main session:agent:main:main`,
	`role:user,assistant -role:tool`,
	`role:robot word`,
	`kind:leaf,condensed,PART`,
	`depth:0..2`,
	`depth:1,3.. depth:..1 depth:x`,
	`tool:bash,exec has:error`,
	`has:file,marker,parts,nothing`,
	`file:report.csv`,
	`before:2026-01-05 after:2026-01-01T10:30`,
	`on:yesterday`,
	`on:2026-01 -on:2026-01-03`,
	`after:7d before:12h`,
	`after:soon`,
	`is:context -is:context`,
	`under:sum_0123456789abcdef under:x`,
	`id:sum_0123456789abcdef,msg:4711,12,file_0123456789abcdef`,
	`colour:red https://example.org/a:b c: Note: 12:30`,
	`in: word`,
	`缓存键 日本`,
	`🐛 Zoë naïve`,
	`- -- a-b`,
	"tab\tand\nline   blanks",
	`role:"user" tool:"my tool"`,
}

func TestParse(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, text := range parses {
		q := search.Parse(text, search.ParseOptions{Now: now})
		fmt.Fprintf(&b, "%q\n    %s\n", text, q)
		for _, f := range q.Filters {
			for _, s := range f.Spans {
				fmt.Fprintf(&b, "    from %s until %s\n", instant(s.From), instant(s.Until))
			}
			for _, d := range f.Depths {
				fmt.Fprintf(&b, "    depths %d to %d\n", d.Min, d.Max)
			}
		}
		for _, n := range q.Notes {
			fmt.Fprintf(&b, "    note: %s\n", n)
		}
	}
	path := filepath.Join("testdata", "parses.golden")
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Error(diff)
	}
}

func instant(t time.Time) string {
	if t.IsZero() {
		return "–"
	}
	return t.UTC().Format("2006-01-02T15:04:05")
}

func TestDaysBeginInTheZoneOfTheUser(t *testing.T) {
	t.Parallel()
	berlin := time.FixedZone("Berlin", 3600)
	q := search.Parse("on:today", search.ParseOptions{Now: time.Date(2026, 1, 7, 23, 30, 0, 0, time.UTC), Location: berlin})
	want := search.TimeSpan{From: time.Date(2026, 1, 7, 23, 0, 0, 0, time.UTC), Until: time.Date(2026, 1, 8, 23, 0, 0, 0, time.UTC)}
	if got := q.Filters[0].Spans[0]; !got.From.Equal(want.From) || !got.Until.Equal(want.Until) {
		t.Errorf("today is %v, want %v", got, want)
	}
}

// TestADayIsWholeWhereClocksAreChangedAtMidnight: in Havana the 8th of March begins at one o'clock, and the 1st of November has
// its first hour twice.
func TestADayIsWholeWhereClocksAreChangedAtMidnight(t *testing.T) {
	t.Parallel()
	havana, err := time.LoadLocation("America/Havana")
	if err != nil {
		t.Fatal(err)
	}
	noon := time.Date(2026, 11, 1, 17, 0, 0, 0, time.UTC)
	for query, want := range map[string]string{
		"on:2026-03-08": "2026-03-08T05:00:00 2026-03-09T04:00:00", "on:2026-11-01": "2026-11-01T04:00:00 2026-11-02T05:00:00",
		"on:today": "2026-11-01T04:00:00 2026-11-02T05:00:00", "on:yesterday": "2026-10-31T04:00:00 2026-11-01T04:00:00",
		"on:238d": "2026-03-08T05:00:00 2026-03-09T04:00:00", "before:2026-03-08": "– 2026-03-08T05:00:00",
	} {
		span := search.Parse(query, search.ParseOptions{Now: noon, Location: havana}).Filters[0].Spans[0]
		if got := instant(span.From) + " " + instant(span.Until); got != want {
			t.Errorf("%s is %s, want %s", query, got, want)
		}
	}
}

func TestAWholePatternIsOneRegularExpression(t *testing.T) {
	t.Parallel()
	q := search.Parse(`error [0-9]+ role:tool -x`, search.ParseOptions{Regexp: true})
	if got, want := q.String(), `/error [0-9]+ -x/ AND role:tool`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestAVeryLongQueryIsCut(t *testing.T) {
	t.Parallel()
	q := search.Parse(strings.Repeat("é ", search.MaxQueryBytes), search.ParseOptions{})
	if len(q.String()) > 8*search.MaxQueryBytes || len(q.Notes) != 1 {
		t.Errorf("%d bytes, notes %q", len(q.String()), q.Notes)
	}
}

// FuzzParse: every text is a query, and a query marks only what lies in a text.
func FuzzParse(f *testing.F) {
	for _, text := range parses {
		f.Add(text, "We deployed the connection pool of tenant_id 12 on 2026-01-05; 缓存键 OPS-12.")
	}
	f.Fuzz(func(t *testing.T, text, content string) {
		for _, o := range []search.ParseOptions{{Now: now}, {Regexp: true}, {MatchCase: true}, {WholeWord: true}} {
			q := search.Parse(text, o)
			if !utf8.ValidString(q.String()) {
				t.Errorf("%q is not UTF-8", q.String())
			}
			found := q.Matches(content)
			spans := q.Highlight(content)
			end := 0
			for _, s := range spans {
				if s.From < end || s.To <= s.From || s.To > len(content) {
					t.Fatalf("%q in %q: spans %v", text, content, spans)
				}
				end = s.To
			}
			if found && len(q.Groups) == 0 && len(spans) > 0 {
				t.Errorf("%q marks %v without a term", text, spans)
			}
			line, marked := search.Snippet(content, spans)
			for _, s := range marked {
				if s.From > s.To || s.To > len(line) {
					t.Fatalf("%q: %v lies outside %q", text, s, line)
				}
			}
		}
	})
}

// TestLongQueriesAreShortened: what can make a search take minutes is left out, and a note says
// so.
func TestLongQueriesAreShortened(t *testing.T) {
	t.Parallel()
	distinct := func(n int, form string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, form, i)
		}
		return b.String()
	}
	for name, c := range map[string]struct {
		text            string
		terms, excluded int
		note            string
	}{
		"a word many times":       {strings.Repeat("error ", 9000), 1, 0, ""},
		"a choice many times":     {"a" + strings.Repeat(" OR a OR b", 5000), 2, 0, ""},
		"a word many times not":   {"b " + strings.Repeat("-a ", 9000), 1, 1, ""},
		"equal words in choices":  {"a OR b a OR c b", 5, 0, ""},
		"200 words":               {distinct(200, "w%d "), 200, 0, ""},
		"201 words":               {distinct(201, "w%d "), 200, 0, "more than 200 words"},
		"a choice of 300":         {"first a" + distinct(300, " OR w%d"), 200, 0, "more than 200 words"},
		"150 words, 100 excluded": {distinct(150, "w%d ") + distinct(100, "-x%d "), 150, 50, "more than 200 words"},
		"a long regexp":           {"/" + strings.Repeat("a?", 2000) + "/", 1, 0, "longer than 2000 bytes"},
		"a long broken regexp":    {"/" + strings.Repeat("(", 900) + "/", 1, 0, "(((…/ is no regular expression"},
		"a filter many times":     {"a in:" + strings.Repeat("1,", 9000), 1, 0, ""},
		"a long wrong value":      {"a role:" + strings.Repeat("x", 9000), 1, 0, "xxx…\" is none of user"},
	} {
		q := search.Parse(c.text, search.ParseOptions{Now: now})
		terms := 0
		for _, g := range q.Groups {
			terms += len(g)
		}
		notes := strings.Join(q.Notes, "\n")
		if terms != c.terms || len(q.Excluded) != c.excluded || !strings.Contains(notes, c.note) || c.note == "" && notes != "" || len(notes) > 300 {
			t.Errorf("%s: %d terms, %d excluded, notes %.400q", name, terms, len(q.Excluded), notes)
		}
		if len(q.Filters) > 0 && len(q.Filters[0].Values) > 1 {
			t.Errorf("%s: the filter has %d values", name, len(q.Filters[0].Values))
		}
	}
}
