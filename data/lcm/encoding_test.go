package lcm_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/data/textsearch"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// TestTheEncodingOfAFileChangesNoText: what is read of a file whose texts are stored in UTF-16 is what is read of one in UTF-8,
// whole and cut, also around a NUL.
func TestTheEncodingOfAFileChangesNoText(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path := testdb.Sample(t, fakehost.Head)
	must(t, faults.Alter(path, `UPDATE messages SET content = 'before' || char(0) || 'behind' WHERE message_id = 1;
		UPDATE messages SET content = '数据 ' || replace(hex(zeroblob(300)), '00', 'long ') WHERE message_id = 2;
		UPDATE messages SET content = CAST('bytes, and more of them than fit' AS BLOB) WHERE message_id = 3; UPDATE messages SET content = 42 WHERE message_id = 4`))
	want, got := textsOf(t, testdb.Open(t, path)), textsOf(t, testdb.Open(t, testdb.InUTF16(t, path)))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(strings.Join(got, "\n"), "before\x00behind") {
		t.Error("the text around the NUL is cut")
	}
}

// TestFilesOfTwoEncodingsAreNotCompared: SQLite reads no two encodings side by side, and the error says which file has which.
func TestFilesOfTwoEncodingsAreNotCompared(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path := testdb.Sample(t, fakehost.Head)
	one, other := testdb.Open(t, path), testdb.Open(t, testdb.InUTF16(t, path))
	for _, pair := range [][2]*data.DB{{one, other}, {other, one}} {
		_, err := data.OpenPairReader(t.Context(), pair[0], pair[1])
		if !errors.Is(err, data.ErrEncodings) || !strings.Contains(err.Error(), "UTF-16le") || !strings.Contains(err.Error(), pair[1].Path()) {
			t.Error(err)
		}
	}
	r, err := data.OpenPairReader(t.Context(), other, testdb.Open(t, testdb.InUTF16(t, path)))
	must(t, err)
	must(t, r.Close())
}

// textsOf returns the texts of all conversations as lists, contexts and searches read them.
func textsOf(t *testing.T, db *data.DB) (out []string) {
	t.Helper()
	const few = 24 // Bytes.
	all, err := lcm.Conversations(t.Context(), db)
	must(t, err)
	for _, c := range all {
		messages, err := lcm.Messages(t.Context(), db, c.ID, lcm.Page{Limit: 1000, Clip: few})
		must(t, err)
		var ids []int64
		for _, m := range messages {
			ids = append(ids, m.ID)
			out = append(out, m.Content)
			if whole := m.Bytes == int64(len(m.Content)); whole == m.Clipped() {
				t.Errorf("message %d of %d bytes: clipped is %v", m.ID, m.Bytes, m.Clipped())
			}
			if m.Clipped() {
				out = append(out, "clipped")
			}
			for _, p := range m.Parts {
				out = append(out, p.Text, p.ToolInput, p.ToolOutput, p.Metadata)
			}
		}
		summaries, err := lcm.Summaries(t.Context(), db, c.ID, few)
		must(t, err)
		var names []string
		for _, s := range summaries {
			names = append(names, s.ID)
			out = append(out, s.Content)
		}
		items, err := lcm.Context(t.Context(), db, c.ID)
		must(t, err)
		for _, i := range items {
			out = append(out, i.Preview)
		}
		found, err := textsearch.Messages(t.Context(), db, ids, nil, few)
		must(t, err)
		for _, m := range found {
			out = append(out, m.Text)
			if int64(len(m.Text)) < m.Bytes {
				out = append(out, "clipped")
			}
		}
		foundSummaries, err := textsearch.Summaries(t.Context(), db, names, few)
		must(t, err)
		for _, s := range foundSummaries {
			out = append(out, s.Text)
		}
	}
	return out
}
