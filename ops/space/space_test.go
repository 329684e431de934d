package space_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops/space"
)

// TestEveryPageIsOfAnObject: the pages of all objects, the free ones and those that point to
// parents are all pages of the file, in samples of every version.
func TestEveryPageIsOfAnObject(t *testing.T) {
	t.Parallel()
	for _, level := range testlength.Some(append(fakehost.Levels(), fakehost.Beta, fakehost.Fork)) {
		t.Run(string(level), func(t *testing.T) {
			t.Parallel()
			m := measure(t, testdb.Sample(t, level))
			pages := m.FreePages
			for i := range m.Objects {
				pages += m.Objects[i].Pages()
			}
			if pages != m.Pages || m.Estimated || m.Done != m.Total {
				t.Errorf("%d pages of %d, estimated %v, %d of %d measured", pages, m.Pages, m.Estimated, m.Done, m.Total)
			}
		})
	}
}

// TestRowsAreCountedInEveryGroup: each message is counted once by conversation, month and kind.
func TestRowsAreCountedInEveryGroup(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	m := measure(t, path)
	var byConversation, byMonth, byKind space.Amount
	for _, tables := range m.Conversations {
		byConversation.Add(tables["messages"])
	}
	for _, tables := range m.Months {
		byMonth.Add(tables["messages"])
	}
	for kind, tables := range m.Kinds {
		if kind.Table == "messages" && kind.Name == "" {
			t.Error("a message has no role")
		}
		byKind.Add(tables["messages"])
	}
	n, err := testdb.Count(path, "SELECT count(*) FROM messages")
	if err != nil {
		t.Fatal(err)
	}
	all := m.Rows["messages"]
	if all.Rows != int64(n) || all.Bytes == 0 || byConversation != all || byMonth != all || byKind != all {
		t.Errorf("%d messages: %v, by conversation %v, by month %v, by kind %v", n, all, byConversation, byMonth, byKind)
	}
	for _, table := range []string{"message_parts", data.MessageIndex} {
		if none := m.Conversations[0][table]; none != (space.Amount{}) || m.Rows[table].Rows == 0 {
			t.Errorf("%v of %v rows of %s are of no conversation", none, m.Rows[table], table)
		}
	}
}

func TestCopiesOfTextsAreCounted(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	m := measure(t, path)
	for _, c := range []struct {
		what, query string
		got         int64
	}{
		{"messages", "SELECT sum(octet_length(content)) FROM messages", m.Copies.Messages},
		{"parts", "SELECT sum(octet_length(text_content)) FROM message_parts", m.Copies.Parts},
		{"raw", "SELECT ifnull(sum(octet_length(metadata -> '$.raw')), 0) FROM message_parts", m.Copies.Raw},
		{"search", "SELECT sum(octet_length(c0)) FROM messages_fts_content", m.Copies.Search},
	} {
		if want, err := testdb.Count(path, c.query); err != nil || c.got != int64(want) {
			t.Errorf("%s: %d bytes, want %d (%v)", c.what, c.got, want, err)
		}
	}
}

// TestSomethingIsKnownAtOnce: before the first page is measured there are sizes of all large
// tables, from a few rows of each.
func TestSomethingIsKnownAtOnce(t *testing.T) {
	t.Parallel()
	db := testdb.Open(t, testdb.Sample(t, fakehost.Head))
	ctx, cancel := context.WithCancel(t.Context())
	var pages, estimated int64
	_, err := space.Measure(ctx, db, func(m *space.Measurement) {
		if m.Done == 0 {
			for i := range m.Objects {
				estimated += m.Objects[i].Pages()
			}
			pages = m.Pages - m.FreePages
		}
		cancel()
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("after it was cancelled it ends with %v", err)
	}
	if estimated < pages/2 || estimated > pages*2 {
		t.Errorf("%d pages are estimated of %d", estimated, pages)
	}
}

// TestARowIDAtTheEndOfItsRange: numbers of rows may be as far apart as they like.
func TestARowIDAtTheEndOfItsRange(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	host, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(
		host.Exec("INSERT INTO messages (message_id, conversation_id, seq, role, content, token_count) SELECT 9223372036854775807, conversation_id, 999999, 'user', 'last', 1 FROM conversations LIMIT 1"),
		host.Close(),
	)
	if err != nil {
		t.Fatal(err)
	}
	n, err := testdb.Count(path, "SELECT count(*) FROM messages")
	if got := measure(t, path).Rows["messages"].Rows; err != nil || got != int64(n) {
		t.Errorf("%d messages, want %d (%v)", got, n, err)
	}
}

// TestWithoutATableOfPagesTheSizesAreEstimates: all pages are shared among the objects by what is
// in them, and every row is counted as otherwise.
func TestWithoutATableOfPagesTheSizesAreEstimates(t *testing.T) {
	t.Parallel()
	path := testdb.Fixture(t, "v0.15.3/rich.db")
	counted := measure(t, path)
	m, err := space.MeasureWithoutPages(t.Context(), testdb.Open(t, path))
	if err != nil {
		t.Fatal(err)
	}
	if !m.Estimated || m.Done != m.Total || m.Rows["messages"] != counted.Rows["messages"] {
		t.Errorf("estimated %v, %d of %d, %v messages of %v", m.Estimated, m.Done, m.Total, m.Rows["messages"], counted.Rows["messages"])
	}
	all := int64(0)
	for i := range m.Objects {
		estimate, pages := m.Objects[i].Pages(), counted.Objects[i].Pages()
		all += estimate
		if wrong := estimate - pages; max(wrong, -wrong) > m.Pages*6/100 {
			t.Errorf("%s has %d pages, and the estimate is %d", m.Objects[i].Name, pages, estimate)
		}
	}
	if wrong := all - (m.Pages - m.FreePages); max(wrong, -wrong) > m.Pages*2/100 {
		t.Errorf("%d pages are estimated of %d", all, m.Pages-m.FreePages)
	}
}

func TestDamagedPagesAreAnError(t *testing.T) {
	t.Parallel()
	path := testdb.Fixture(t, "faults/sqlite-truncated.db")
	_, err := space.Measure(t.Context(), testdb.Open(t, path), func(*space.Measurement) {})
	var e *data.Error
	if !errors.As(err, &e) || !errors.Is(err, data.ErrDamaged) || e.Hint() == "" {
		t.Errorf("a file that is cut off: %v", err)
	}
}

// TestFilesBesideTheDatabase: large files count by whether a row names them.
func TestFilesBesideTheDatabase(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	db := testdb.Open(t, path)
	ids := testdb.Rows(t, path, "SELECT file_id FROM large_files LIMIT 1")
	if len(ids) == 0 {
		t.Fatal("the sample has no large file")
	}
	folders := space.Folders{LargeFiles: t.TempDir(), Trash: t.TempDir(), Cache: filepath.Join(t.TempDir(), "none")}
	write := func(folder, name string, age time.Duration) {
		full := filepath.Join(folder, name)
		at := db.Now().Add(-age)
		if err := errors.Join(os.MkdirAll(filepath.Dir(full), 0o700), os.WriteFile(full, []byte("0123456789"), 0o600), os.Chtimes(full, at, at)); err != nil {
			t.Fatal(err)
		}
	}
	write(folders.LargeFiles, "1/"+ids[0]+".txt", 48*time.Hour)
	write(folders.LargeFiles, "1/file_00000000000000ff.txt", 48*time.Hour)
	write(folders.LargeFiles, "2/file_00000000000000fe.txt", time.Hour)
	write(folders.Trash, "a.db", time.Hour)
	write(filepath.Dir(path), filepath.Base(path)+".lcm-tui-20260101T000000Z.bak", time.Hour)
	left := path + ".lcm-tui-17.part"
	write(filepath.Dir(path), filepath.Base(left), time.Hour)
	b, err := space.ReadBeside(t.Context(), db, folders)
	if !slices.Contains(b.LeftoverPaths, left) || b.Leftovers.Bytes < 10 {
		t.Errorf("left are %v, %+v", b.LeftoverPaths, b.Leftovers)
	}
	b.LeftoverPaths, b.Leftovers = nil, space.FileCount{} // Other tests leave something, too.
	want := space.Beside{
		Named: space.FileCount{Files: 1, Bytes: 10}, Unnamed: space.FileCount{Files: 2, Bytes: 20},
		Backups: space.FileCount{Files: 1, Bytes: 10}, Trash: space.FileCount{Files: 1, Bytes: 10},
	}
	if err != nil || !reflect.DeepEqual(b, want) {
		t.Errorf("%+v, %v, want %+v", b, err, want)
	}
}

func TestTheLargestMessagesComeFirst(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	db := testdb.Open(t, path)
	all, err := space.LargestMessages(t.Context(), db, space.MessageFilter{}, 1000)
	n, countErr := testdb.Count(path, "SELECT count(*) FROM messages")
	if err := errors.Join(err, countErr); err != nil || len(all) != n {
		t.Fatalf("%d messages of %d, %v", len(all), n, err)
	}
	months := map[string]int{}
	for i, m := range all {
		if i > 0 && m.Bytes > all[i-1].Bytes {
			t.Errorf("message %d comes after a smaller one", m.ID)
		}
		months[m.CreatedAt.Raw[:7]]++
	}
	for month, n := range months {
		found, err := space.LargestMessages(t.Context(), db, space.MessageFilter{Month: month, Role: "user"}, 1000)
		if err != nil || len(found) == 0 || len(found) >= n {
			t.Errorf("%s: %d messages of users of %d messages, %v", month, len(found), n, err)
		}
	}
	tools, err := space.LargestMessages(t.Context(), db, space.MessageFilter{PartType: "tool"}, 3)
	if err != nil || len(tools) == 0 || len(tools) > 3 {
		t.Errorf("%d messages with parts of tools, %v", len(tools), err)
	}
}

// TestLinksBelongToConversations: also those of what is prepared and of focus briefs, which say no conversation themselves.
func TestLinksBelongToConversations(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for file, tables := range map[string][]string{
		"v1.0/upgraded.db": {"pending_summary_node_messages", "pending_summary_node_children", "focus_brief_sources", "summary_messages"},
		"hard/briefs1.db":  {"focus_brief_sources"},
	} {
		path := testdb.Fixture(t, file)
		m := measure(t, path)
		for _, table := range tables {
			n, err := testdb.Count(path, "SELECT count(*) FROM "+table)
			if err != nil || m.Rows[table].Rows != int64(n) {
				t.Errorf("%s: %d rows of %d, %v", table, m.Rows[table].Rows, n, err)
			}
			if a := m.Conversations[0][table]; a.Rows > 0 {
				t.Errorf("%s: %d of %d rows are of no conversation", table, a.Rows, n)
			}
		}
	}
}
