package selector_test

import (
	"slices"
	"testing"
	"time"

	"lcm-tui/internal/hint"
	"lcm-tui/ops/prune/selector"
)

var now = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

func daysAgo(n int) time.Time { return now.AddDate(0, 0, -n) }

// all are conversations of two agents: a session with three, scheduled runs, one without a key.
var all = []selector.Conversation{
	{ID: 1, Key: "agent:main:main", Agent: "main", Lane: "main", Cause: "manual-reset", Newest: daysAgo(100), Messages: 50, Bytes: 5_000_000},
	{ID: 2, Key: "agent:main:main", Agent: "main", Lane: "main", Cause: "session-end", Newest: daysAgo(40), Messages: 60, Bytes: 900},
	{ID: 3, Key: "agent:main:main", Agent: "main", Lane: "main", Active: true, Newest: daysAgo(1), Messages: 700, Bytes: 40_000_000},
	{ID: 4, Key: "agent:ops:cron:nightly", Agent: "ops", Lane: "cron", Newest: daysAgo(20), Messages: 3, Bytes: 10},
	{ID: 5, Key: "agent:ops:cron:nightly", Agent: "ops", Lane: "cron", Newest: daysAgo(10), Messages: 4, Bytes: 10},
	{ID: 6, Session: "s6", Newest: daysAgo(300), TranscriptGone: true, Active: true},
	{ID: 7, Key: "agent:main:telegram:direct:7", Agent: "main", Lane: "telegram", Active: true, Messages: 9},
}

func TestSelectorsMatch(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		s    selector.Selector
		want []int64 // The oldest first.
	}{
		"nothing":                      {selector.Selector{}, nil},
		"only exceptions":              {selector.Selector{Except: []int64{1}}, nil},
		"age":                          {selector.Selector{OlderThan: daysAgo(30)}, []int64{6, 1, 2}},
		"a message without a time":     {selector.Selector{Lanes: []string{"telegram"}, OlderThan: now}, nil},
		"agent":                        {selector.Selector{Agents: []string{"ops"}}, []int64{4, 5}},
		"agents":                       {selector.Selector{Agents: []string{"ops", "main"}, Archived: true}, []int64{1, 2, 4, 5}},
		"lane and cause":               {selector.Selector{Lanes: []string{"main"}, Causes: []string{"session-end"}}, []int64{2}},
		"key":                          {selector.Selector{Keys: []string{"agent:*:main"}}, []int64{1, 2, 3}},
		"key across colons":            {selector.Selector{Keys: []string{"agent:main:**"}}, []int64{7, 1, 2, 3}},
		"no key":                       {selector.Selector{NoKey: true}, []int64{6}},
		"transcript gone":              {selector.Selector{TranscriptGone: true}, []int64{6}},
		"empty":                        {selector.Selector{Empty: true}, []int64{6}},
		"number of messages":           {selector.Selector{MinMessages: 4, MaxMessages: 50}, []int64{7, 1, 5}},
		"size":                         {selector.Selector{LargerThan: 5_000_000}, []int64{3}},
		"all but the newest of each":   {selector.Selector{KeepLast: 1}, []int64{1, 2}},
		"all but the newest two":       {selector.Selector{KeepLast: 2, Archived: true}, []int64{1}},
		"named":                        {selector.Selector{Conversations: []int64{7, 12, 1}}, []int64{7, 1}},
		"named, with an exception":     {selector.Selector{Conversations: []int64{7, 1}, Except: []int64{7}}, []int64{1}},
		"a target alone is everything": {selector.Selector{Target: 1}, []int64{7, 6, 1, 2, 4, 5, 3}},
	} {
		chosen, why := c.s.Select(all, false)
		var ids []int64
		for _, conv := range chosen {
			ids = append(ids, conv.ID)
			if why[conv.ID] == "" && conv.ID != 7 {
				t.Errorf("%s: nothing says why %d was selected", name, conv.ID)
			}
		}
		if !slices.Equal(ids, c.want) {
			t.Errorf("%s: got %v, want %v", name, ids, c.want)
		}
	}
	if got, _ := (selector.Selector{OlderThan: daysAgo(30)}).Select(all, true); len(got) != len(all) {
		t.Errorf("where the age of messages counts, %d conversations match", len(got))
	}
}

func TestAgesAreRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Time{
		"90d": now.Add(-90 * 24 * time.Hour), "2w": now.Add(-14 * 24 * time.Hour), "6m": now.Add(-180 * 24 * time.Hour),
		"1y": now.Add(-365 * 24 * time.Hour), "2026-05-01": time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC),
	} {
		if got, err := selector.ParseAge(text, now); err != nil || !got.Equal(want) {
			t.Errorf("%s: got %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"0d", "-5d", "90", "2027-01-01", "1y6m", "d", "", " 9d", "9 d", "1.5d", "2026-13-01", "99999999999999999999d", "9D", "9h"} {
		if got, err := selector.ParseAge(text, now); hint.Of(err) == "" {
			t.Errorf("%q is read as %v, %v", text, got, err)
		}
	}
}

func TestSizesAreRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{"10MB": 10_000_000, "1.5GB": 1_500_000_000, "64KiB": 65_536, "7 kb": 7000, "9B": 9} {
		if got, err := selector.ParseSize(text); err != nil || got != want {
			t.Errorf("%s: got %d, %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "0MB", "-1MB", "10", "MB", "1MB2", "NaN MB", "1e3MB", "99999999999999TB"} {
		if got, err := selector.ParseSize(text); err == nil {
			t.Errorf("%q is read as %d", text, got)
		}
	}
}

func TestKeysMatchAsTheHostReadsPatterns(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pattern, key string
		want         bool
	}{
		{"agent:*:cron:*", "agent:ops:cron:nightly", true},
		{"agent:*:cron:*", "agent:ops:cron:nightly:7", false},
		{"agent:*:cron:**", "agent:ops:cron:nightly:7", true},
		{"agent:ops:cron", "agent:ops:cron:nightly", false},
		{"agent:o.s:*", "agent:ops:x", false},
		{"a[1]*", "a[1]b", true},
		{"**", "", true},
		{"*", "a:b", false},
		{"agent:**:7", "agent:\n:7", true},
	} {
		if got := selector.MatchKey(c.pattern, c.key); got != c.want {
			t.Errorf("%s matches %q: %v", c.pattern, c.key, got)
		}
	}
}
