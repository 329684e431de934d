package lcm_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testlength"
)

// idsOf returns the ids of messages as text.
func idsOf(ms []lcm.Message) string {
	ids := make([]int64, 0, len(ms))
	for _, m := range ms {
		ids = append(ids, m.ID)
	}
	return strings.Trim(fmt.Sprint(ids), "[]")
}

// TestPagesOfMessages: a page before, after or at the end, in the order of seq, with the start
// of each text, cut between two characters.
func TestPagesOfMessages(t *testing.T) {
	t.Parallel()
	h, db := beside(t, fakehost.Head)
	must(t, h.Exec("UPDATE messages SET content = '台帳の差分' WHERE message_id = 20"))
	for want, p := range map[string]lcm.Page{
		"18 19 20": {Limit: 3}, "5 6 7": {Before: 8, Limit: 3}, "9 10": {After: 8, Limit: 2}, "1 2": {Before: 3, Limit: 5}, "": {After: 20, Limit: 5},
	} {
		p.Clip = 7
		ms, err := lcm.Messages(t.Context(), db, 1, p)
		if err != nil || idsOf(ms) != want {
			t.Errorf("%+v: %s, want %s (%v)", p, idsOf(ms), want, err)
		}
		for _, m := range ms {
			if m.ID == 20 && (m.Content != "台帳" || m.Bytes != 15 || !m.Clipped()) {
				t.Errorf("the text is cut to %q of %d bytes", m.Content, m.Bytes)
			}
		}
	}
}

// TestMessagesByTheirIDs come whole and in the order that was asked for; one that isn't there
// is left out.
func TestMessagesByTheirIDs(t *testing.T) {
	t.Parallel()
	h, db := beside(t, fakehost.Head)
	must(t, h.Exec(`UPDATE messages SET openclaw_sender_metadata = '{"name":"ann"}', transcript_entry_id = 'e9', content = ? WHERE message_id = 9`, strings.Repeat("long ", 500)))
	leaf := finish(t, h, choose(t, h, 0, 3))
	ms, err := lcm.WholeMessages(t.Context(), db, []int64{9, 999, 2})
	if err != nil || idsOf(ms) != "9 2" || ms[0].Clipped() || len(ms[0].Content) != 2500 || ms[0].Sender != `{"name":"ann"}` || ms[0].Entry != "e9" {
		t.Errorf("%s, %v", idsOf(ms), err)
	}
	if !ms[0].InContext || ms[1].InContext || len(ms[1].SummaryIDs) != 1 || ms[1].SummaryIDs[0] != leaf {
		t.Errorf("what belongs to them: %+v", ms[1])
	}
	previews, err := lcm.Previews(t.Context(), db, []int64{9, 999, 2})
	if err != nil || idsOf(previews) != "9 2" || len(previews[0].Content) != len(data.Preview(ms[0].Content)) {
		t.Errorf("previews: %s, %v", idsOf(previews), err)
	}
	of, err := lcm.LeafMessages(t.Context(), db, leaf)
	if err != nil || idsOf(of) != "1 2 3 4" {
		t.Errorf("the leaf's messages: %s, %v", idsOf(of), err)
	}
	n := 0
	must(t, lcm.EachMessage(t.Context(), db, 1, func(m lcm.Message) error {
		n++
		if m.Seq != int64(n) || m.ID == 9 && len(m.Content) != 2500 {
			t.Errorf("message %d has the seq %d and %d bytes", n, m.Seq, len(m.Content))
		}
		return nil
	}))
	if n != 20 {
		t.Errorf("%d messages", n)
	}
}

// TestWhatPartsOfAMessageHold: a text that is NULL differs from an empty one, and a file from
// before the columns of tools were filled is known.
func TestWhatPartsOfAMessageHold(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, level := range fakehost.Levels() {
		h, db := beside(t, level)
		must(t, h.Exec("DELETE FROM message_parts WHERE message_id = 9"))
		for i, text := range []any{nil, "", "words"} {
			must(t, h.Exec("INSERT INTO message_parts (part_id, message_id, session_id, part_type, ordinal, text_content) VALUES (?, 9, 's', 'text', ?, ?)",
				fmt.Sprint("part", i), i, text))
		}
		m, err := lcm.ReadMessage(t.Context(), db, 9)
		if err != nil || len(m.Parts) != 3 {
			t.Fatalf("%s: %+v, %v", level, m.Parts, err)
		}
		for i, p := range m.Parts {
			if p.NoText != (i == 0) || p.Text != []string{"", "", "words"}[i] {
				t.Errorf("%s: part %d: %+v", level, i, p)
			}
		}
		if m.Unfilled == db.Schema().Has("lcm_migration_state") {
			t.Errorf("%s: unfilled is %v", level, m.Unfilled)
		}
	}
}

// TestMessagesThatHostsCountOtherwise: those without stored tokens come with their texts, and
// a user's with who wrote it.
func TestMessagesThatHostsCountOtherwise(t *testing.T) {
	t.Parallel()
	h, db := beside(t, fakehost.Head)
	for _, q := range []string{
		"UPDATE messages SET token_count = 0 WHERE message_id = 4",
		"UPDATE messages SET token_count = -3 WHERE message_id = 6",
		"UPDATE messages SET openclaw_sender_metadata = '{}' WHERE message_id IN (7, 8)", // Of the user, and of the assistant.
		"DELETE FROM context_items WHERE message_id = 6",
	} {
		must(t, h.Exec(q))
	}
	ms, err := lcm.UncountedMessages(t.Context(), db, 1)
	if err != nil || idsOf(ms) != "4 7" || ms[0].Content != "message 3" || ms[1].Content != "" || ms[1].Sender != "{}" {
		t.Errorf("%+v, %v", ms, err)
	}
}

// TestLargeFilesSayWhyTheyCannotBeRead, and where files are expected.
func TestLargeFilesSayWhyTheyCannotBeRead(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	writeText(t, filepath.Join(filepath.Dir(folder), "outside.txt"), "secret")
	must(t, os.MkdirAll(filepath.Join(folder, "1", "folder"), 0o700))
	for uri, want := range map[string]error{
		filepath.Join(folder, "1", "gone.txt"):                fs.ErrNotExist,
		filepath.Join(filepath.Dir(folder), "outside.txt"):    data.ErrOutsideFolder,
		filepath.Join(folder, "1", "folder"):                  nil,
		filepath.Join(folder, "..", "outside.txt"):            data.ErrOutsideFolder,
		"file://" + filepath.Join(folder, "1", "elsewhere"):   fs.ErrNotExist,
		filepath.Join(folder, "1", "..", "..", "outside.txt"): data.ErrOutsideFolder,
	} {
		_, _, err := lcm.ReadLargeFile(lcm.LargeFile{ID: "file_x", Conversation: 1, URI: uri}, folder, 10)
		var why *lcm.LargeFileError
		if err == nil || want != nil && !errors.Is(err, want) || !errors.As(err, &why) || !strings.Contains(why.Hint(), folder) || !strings.Contains(err.Error(), "file_x") {
			t.Errorf("%s: %v, want %v", uri, err, want)
		}
	}
}
