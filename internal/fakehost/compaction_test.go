package fakehost_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
)

// TestWriteGoesByOrdinals: the host's write doesn't look what stands at the ordinals by
// then.
func TestWriteGoesByOrdinals(t *testing.T) {
	t.Parallel()
	h := begin(t, fakehost.Head, fakehost.Defaults())
	ids := must[[]int64](t)(h.Append(1, turns(0, 8, false)...))
	c, ok, err := h.Choose(1, 2, 4)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	// Meanwhile another program takes the first two places away, and closes the gap.
	for _, q := range []string{
		"DELETE FROM context_items WHERE ordinal < 2", "UPDATE context_items SET ordinal = -ordinal",
		"UPDATE context_items SET ordinal = -ordinal - 2",
	} {
		if err := h.Exec(q); err != nil {
			t.Fatal(err)
		}
	}
	id := must[string](t)(h.Write(c, "summary of 2 to 4"))
	want := []string{
		fmt.Sprintf("1: 0 is message %d", ids[2]), fmt.Sprintf("1: 1 is message %d", ids[3]),
		"1: 2 is summary " + id, fmt.Sprintf("1: 3 is message %d", ids[7]),
	}
	if diff := cmp.Diff(want, contextOf(t, h, 1, nil)); diff != "" {
		t.Error(diff)
	}
	if got := number(t, h, "SELECT count(*) FROM summary_messages WHERE summary_id = ?", id); got != 3 {
		t.Errorf("it is made of %d messages, want the 3 that were chosen", got)
	}
}

// TestWriteNeedsItsSources: where a message that was chosen is gone, nothing is written.
func TestWriteNeedsItsSources(t *testing.T) {
	t.Parallel()
	h := begin(t, fakehost.Head, fakehost.Defaults())
	must[[]int64](t)(h.Append(1, turns(0, 8, false)...))
	c, _, err := h.Choose(1, 2, 4)
	if err != nil {
		t.Fatal(err)
	}
	drop(t, h, "seq = 4")
	was := contextOf(t, h, 1, nil)
	if _, err := h.Write(c, "summary"); err == nil {
		t.Error("it was written")
	}
	if diff := cmp.Diff(was, contextOf(t, h, 1, nil)); diff != "" {
		t.Error(diff)
	}
}

// TestNew: /new leaves deep summaries where they stand, and forgets the rest.
func TestNew(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	h := start(t, path, fakehost.Config{RetainDepth: 1})
	messages := number(t, h, countMessages)
	var deep []string
	for _, place := range contextOf(t, h, 1, nil) {
		_, id, _ := strings.Cut(place, "summary ")
		if number(t, h, "SELECT count(*) FROM summaries WHERE summary_id = ? AND depth >= 1", id) > 0 {
			deep = append(deep, place)
		}
	}
	if err := h.New(1); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(deep, contextOf(t, h, 1, nil)); diff != "" || len(deep) == 0 {
		t.Errorf("%d places: %s", len(deep), diff)
	}
	if got := number(t, h, countMessages); got != messages {
		t.Errorf("%d of %d messages are left", got, messages)
	}
}

// TestReset: /reset archives and begins another conversation under the key, but only
// where something was said.
func TestReset(t *testing.T) {
	t.Parallel()
	h := begin(t, fakehost.Head, fakehost.Defaults())
	if next := must[int64](t)(h.Reset(1)); next != 1 {
		t.Errorf("an empty conversation is followed by %d", next)
	}
	must[[]int64](t)(h.Append(1, turns(0, 2, false)...))
	next := must[int64](t)(h.Reset(1))
	if next == 1 || number(t, h, "SELECT count(*) FROM conversations WHERE session_key = ? AND active = 1 AND conversation_id = ?", key, next) != 1 {
		t.Errorf("%d goes on", next)
	}
	if number(t, h, "SELECT count(*) FROM conversations WHERE active = 0 AND archive_cause = 'manual-reset' AND conversation_id = 1") != 1 {
		t.Error("the first isn't archived")
	}
}
