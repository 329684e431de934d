package textsearch_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/textsearch"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// TestACancelledGrepReadsNoFurther: a pattern may take long on each row, so that between two of
// them somebody has to look whether the answer is still wanted.
func TestACancelledGrepReadsNoFurther(t *testing.T) {
	t.Parallel()
	db := testdb.Open(t, testdb.Sample(t, fakehost.Head))
	ctx, cancel := context.WithCancel(t.Context())
	rows := 0
	err := textsearch.GrepMessages.EachNewest(ctx, db, textsearch.GrepFilter{Scope: textsearch.AllConversations(), Limit: 100}, func(textsearch.GrepRow) error {
		rows++
		cancel()
		return nil
	})
	if rows != 1 || !errors.Is(err, context.Canceled) {
		t.Errorf("%d rows, %v", rows, err)
	}
}

// Queries of users and agents become conditions of any number and length, for which SQLite has
// limits: 1,000 conditions in a row, 32,766 values, patterns of 50,000 bytes.
func TestConditionsOfAnyNumberAndLength(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	db := testdb.Open(t, testdb.Sample(t, fakehost.Head))
	ctx := t.Context()
	const word = "ledger"
	filter := textsearch.GrepFilter{Scope: textsearch.AllConversations(), Limit: 5}
	all, none := [][]string{}, [][]string{{word}}
	either := []string{strings.Repeat("x", 60_000), strings.Repeat("%", 60_000)}
	for range 3000 {
		all, either = append(all, []string{word}), append(either, "not there")
	}
	none = append(none, []string{strings.Repeat("_", 60_000)})
	for name, c := range map[string]struct {
		groups [][]string
		finds  bool
	}{
		"all of 3,000 texts": {all, true}, "one of 3,000 texts, two of them long": {[][]string{append(either, word)}, true}, "a long text": {none, false},
	} {
		rows, err := textsearch.GrepMessages.Like(ctx, db, c.groups, filter)
		if err != nil || (len(rows) > 0) != c.finds {
			t.Errorf("%s: %d rows, %v", name, len(rows), err)
		}
	}
	conditions := []textsearch.Condition{{Files: append(make([]string, 100_000), "file_a")}}
	if files, err := textsearch.Files(ctx, db, conditions); err != nil || len(files) != 0 {
		t.Errorf("one of 100,000 ids: %d files, %v", len(files), err)
	}
	var wide []textsearch.Condition
	for range 3000 {
		wide = append(wide, textsearch.Condition{Roles: []string{"user"}})
	}
	found := 0
	whole := textsearch.IDRange{From: 0, To: 1 << 40}
	err := textsearch.ScanMessages(ctx, db, whole, false, wide, []string{word}, func(textsearch.MessageRow) error { found++; return nil })
	if err != nil || found == 0 {
		t.Errorf("3,000 conditions: %d messages, %v", found, err)
	}
	err = textsearch.ScanParts(ctx, db, whole, false, nil, [][]string{either}, func(textsearch.PartRow) error { return data.ErrEndRows })
	if err != nil {
		t.Errorf("parts with one of 3,000 texts: %v", err)
	}
}
