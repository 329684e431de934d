package home_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testhome"
	"lcm-tui/internal/testreplica"
)

// oddTexts are texts that the server can't hold as they are, look like one that it holds, or are cut within a character.
var oddTexts = []string{
	"a\x00b", "\x00\x00", "raw \xff\xfe bytes", "\U0010FFFE", "\U0010FFFE00", "a \U0010FFFE.. sign", "", strings.Repeat("\x00\xff", 300), "a" + strings.Repeat("é", 300), strings.Repeat("日\x00", 300),
	strings.Repeat("\U0010FFFE", 100), `escapes \u0000 \ud83d`,
}

// oddFile is a file with odd texts in all that lists show the beginning of. A part of the messages has no text but that of a tool call.
func oddFile(t *testing.T) (path string) {
	t.Helper()
	path = testdb.Sample(t, fakehost.Head)
	h := testdb.OpenHost(t, path)
	for i, text := range oddTexts {
		_, err := h.Message(1, fakehost.Message{Role: "user", Content: text})
		testdb.Must(t, err)
		_, err = h.Message(1, fakehost.Message{Role: "tool", Tokens: 1, Parts: []fakehost.Part{{
			Type: "tool", ToolName: "Bash", ToolCallID: "call_1", ToolOutput: text,
		}}})
		testdb.Must(t, err)
		testdb.Must(t, h.Exec("UPDATE summaries SET content = ? WHERE rowid = ?", text, i+1))
	}
	testdb.Must(t, h.Close())
	return path
}

// lists are what screens, commands and searches show of the beginnings of texts.
type lists struct {
	Context   []string
	Messages  []lcm.Message
	Summaries []lcm.Summary
	Found     []string
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
	l.Found, _ = found(t, db, "raw OR sign kind:message")
	return l
}

// TestListsOfOddTextsAreThoseOfTheFile at a home and a replica: no text is shown as the server holds it, none is taken for a longer one that is cut, and
// nothing fails because a text is cut within a character.
func TestListsOfOddTextsAreThoseOfTheFile(t *testing.T) {
	t.Parallel()
	path, address := oddFile(t), testhome.New(t)
	testhome.Fill(t, address, path)
	want := readLists(t, testdb.Open(t, path))
	for place, address := range map[string]string{"home": address, "replica": testreplica.Add(t, testreplica.Server(t), "laptop", path)} {
		if diff := cmp.Diff(want, readLists(t, testhome.Open(t, address))); diff != "" {
			t.Errorf("%s: %s", place, diff)
		}
	}
}
