package home_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testhome"
	"lcm-tui/internal/testlength"
	"lcm-tui/internal/testreplica"
)

// oddTexts are texts that the server can't hold as they are, look like one that it holds, or are cut within a character.
var oddTexts = []string{
	"a\x00b", "\x00\x00", "raw \xff\xfe bytes", "\U0010FFFE", "\U0010FFFE00", "a \U0010FFFE.. sign", "", strings.Repeat("\x00\xff", 300), "a" + strings.Repeat("é", 300), strings.Repeat("日\x00", 300),
	strings.Repeat("\U0010FFFE", 100), `escapes \u0000 \ud83d`,
}

// oddFile is a file with odd texts in all that lists show the beginning of. A part of the messages has no text but that of a tool call
// which failed, with odd escapes in its metadata.
func oddFile(t *testing.T) (path string) {
	t.Helper()
	path = testdb.Sample(t, fakehost.Head)
	h := testdb.OpenHost(t, path)
	for i, text := range oddTexts {
		_, err := h.Message(1, fakehost.Message{Role: "user", Content: text})
		testdb.Must(t, err)
		_, err = h.Message(1, fakehost.Message{Role: "tool", Tokens: 1, Parts: []fakehost.Part{{
			Type: "tool", ToolName: "Bash", ToolCallID: "call_1", ToolOutput: text, Metadata: `{"isError":true,"raw":"\u0000 and \ud83d \\u0000 \ud83d\ude00"}`,
		}}})
		testdb.Must(t, err)
		testdb.Must(t, h.Exec("UPDATE summaries SET content = ? WHERE rowid = ?", text, i+1))
	}
	testdb.Must(t, h.Close())
	return path
}

// lists are what screens, commands and searches show of the beginnings of texts, and what they find by the metadata of tool calls.
type lists struct {
	Context   []string
	Messages  []lcm.Message
	Summaries []lcm.Summary
	Found     []string
	Failed    []string
	Calls     []int64
}

func readLists(t *testing.T, db *data.DB) (l lists) {
	t.Helper()
	items, err := lcm.Context(t.Context(), db, 1)
	testdb.Must(t, err)
	for _, i := range items {
		l.Context = append(l.Context, i.Preview)
	}
	l.Messages, err = lcm.Messages(t.Context(), db, 1, lcm.Page{Limit: 30, Clip: data.PreviewBytes})
	testdb.Must(t, err)
	l.Summaries, err = lcm.Summaries(t.Context(), db, 1, data.PreviewBytes)
	testdb.Must(t, err)
	l.Calls, err = lcm.OrdinalsNamingCalls(t.Context(), db, 1, []string{"call_1", "nul \x00"})
	testdb.Must(t, err)
	l.Failed, _ = found(t, db, "has:error")
	l.Found, _ = found(t, db, "raw OR sign kind:message")
	return l
}

// TestListsOfOddTextsAreThoseOfTheFile at a home and a replica: no text is shown as the server holds it, none is taken for a longer one that is cut, and
// nothing fails because a text is cut within a character.
func TestListsOfOddTextsAreThoseOfTheFile(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path, address := oddFile(t), testhome.New(t)
	testhome.Fill(t, address, path)
	want := readLists(t, testdb.Open(t, path))
	if n := len(want.Failed); n < len(oddTexts) {
		t.Fatalf("only %d calls failed", n)
	}
	for place, address := range map[string]string{"home": address, "replica": testreplica.Add(t, testreplica.Server(t), "laptop", path)} {
		if diff := cmp.Diff(want, readLists(t, testhome.Open(t, address))); diff != "" {
			t.Errorf("%s: %s", place, diff)
		}
	}
}

// TestRecordsOfOddTextsAreRead: metrics count what records made, whatever escapes stand in their rows.
func TestRecordsOfOddTextsAreRead(t *testing.T) {
	t.Parallel()
	db := testhome.Open(t, testhome.New(t))
	begun(t, db, 1)
	row := data.Row{"summary_id": "sum_0123456789abcdef", "conversation_id": int64(1), "kind": "leaf", "content": "nul \x00", "token_count": int64(1), "created_at": db.FormatNow()}
	_, err := change.Write(t.Context(), db, change.Batch{Op: "edit", Title: "a summary", Changes: []change.Change{change.Insert(db, "summaries", row)}})
	testdb.Must(t, err)
	effects, err := change.SummaryEffects(t.Context(), db, 0, nil)
	if err != nil || len(effects) != 2 || effects[1].Made["leaf"] != 1 {
		t.Errorf("%+v, %v", effects, err)
	}
}

// TestFunctionsOfTextsAnswerAsSQLite, at the ends of texts and of the calendar, where the server's own functions do something else or fail.
func TestFunctionsOfTextsAnswerAsSQLite(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	file, home := testdb.Open(t, testdb.Sample(t, fakehost.Head)), testhome.Open(t, testhome.New(t))
	for _, text := range []string{
		"", "ab", "日本語 text", "0000-01-01", "0000-12-31 23:59:59", "0001-01-01T00:00:00.250Z", "2026-02-30 10:00:00+02:00", "9999-12-31T23:59:59.999Z", "0000-00-00",
		"2026-01-31 10:00:00", "2026-13-01 00:00:00", "2026-01-32 00:00:00", "2026-01-01 24:00:00", "2026-01-01T23:59:60Z", "2026-01-01x10:00:00", "2026-01-01 10:00:00.25Z", "٢٠٢٦-01-01 00:00:00",
	} {
		for _, e := range []string{"julianday(?1) IS NULL", "julianday(?1) IS NOT NULL", "substr(?1, -2)", "substr(?1, -length(?1))", "substr(?1, -length(?1) - 1, 2)", "substr(?1, 0, 2)", "substr(CAST(?1 AS BLOB), -4, 3)", "julianday(?1)"} {
			var want, got any
			_, failed := data.One(t.Context(), file, "read", "SELECT "+e, []any{text}, &want)
			_, err := data.One(t.Context(), home, "read", "SELECT "+e, []any{text}, &got)
			if failed != nil || err != nil || !cmp.Equal(want, got) {
				t.Errorf("%s of %q: %v, %v, want %v, %v", e, text, got, err, want, failed)
			}
		}
	}
}
