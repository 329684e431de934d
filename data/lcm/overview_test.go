package lcm_test

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// TestOverviewCountsAndCloses: the numbers are those of the whole file, and nothing is left
// beside it.
func TestOverviewCountsAndCloses(t *testing.T) {
	t.Parallel()
	path := sample(t, fakehost.Head)
	db := open(t, path)
	convs, err := lcm.Conversations(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	stats, err := lcm.AllStats(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	var messages int64
	var last time.Time
	for _, s := range stats {
		messages += s.Messages
		if s.LastMessageAt.After(last) {
			last = s.LastMessageAt.Time
		}
	}
	o, err := lcm.ReadOverview(t.Context(), path, last)
	if err != nil {
		t.Fatal(err)
	}
	if o.Conversations != int64(len(convs)) || o.Messages != messages || !o.LastMessageAt.Equal(last) || o.Kind != db.Kind() || len(o.Warnings) > 0 {
		t.Errorf("%+v, want %d conversations, %d messages, the last at %s", o, len(convs), messages, last)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := lcm.ReadOverview(t.Context(), path, last); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range left {
		if e.Name() == "lcm.db-wal" || e.Name() == "lcm.db-shm" {
			t.Errorf("%s is left", e.Name())
		}
	}
}

// TestOverviewEstimatesGrowth: messages of the last seven days count, those of the future and
// older ones don't; of many that are new, as much as their own time tells.
func TestOverviewEstimatesGrowth(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lcm.db")
	h, err := fakehost.Create(path, fakehost.Head)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 3, 18, 12, 0, 0, 0, time.UTC)
	conv, err := h.Conversation(fakehost.Conversation{SessionKey: "agent:main:main"})
	if err != nil {
		t.Fatal(err)
	}
	for _, age := range []time.Duration{30 * 24 * time.Hour, 8 * 24 * time.Hour, 6 * 24 * time.Hour, time.Hour, -time.Hour} {
		if _, err := h.Message(conv, fakehost.Message{Role: "user", Content: "a message", At: now.Add(-age)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	read := func() lcm.Growth {
		t.Helper()
		o, err := lcm.ReadOverview(t.Context(), path, now)
		if err != nil {
			t.Fatal(err)
		}
		return o.Growth
	}
	if got, want := read(), (lcm.Growth{Messages: 2, Within: 7 * 24 * time.Hour, PerDay: int64(2.0 / 7 * float64(info.Size()) / 5)}); got != want {
		t.Errorf("two messages in a week: %+v, want %+v", got, want)
	}
	execute(t, path, `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
		INSERT INTO messages (conversation_id, seq, role, content, token_count, created_at)
		SELECT 1, 100 + i, 'user', 'x', 1, datetime('2026-03-18 10:00:00', '+' || (i / 10) || ' seconds') FROM n`)
	if got := read(); got.Messages != 1000 || got.Within != 2*time.Hour {
		t.Errorf("a thousand messages in two hours: %+v", got)
	}
}

// TestOverviewSaysWhyThereIsNone: whatever lies at the path, the error has words and a hint.
func TestOverviewSaysWhyThereIsNone(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	locked := sample(t, fakehost.Head)
	h := host(t, locked)
	for _, s := range []string{"PRAGMA journal_mode = DELETE", "BEGIN EXCLUSIVE"} {
		if err := h.Exec(s); err != nil {
			t.Fatal(err)
		}
	}
	empty := filepath.Join(t.TempDir(), "lcm.db")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, kind := range map[string]error{
		locked: data.ErrLocked, broken(t, "not-sqlite"): data.ErrNotSQLite, empty: data.ErrEmpty,
		t.TempDir(): data.ErrDirectory, filepath.Join(t.TempDir(), "none.db"): data.ErrMissing,
	} {
		_, err := lcm.ReadOverview(t.Context(), path, time.Now())
		wantKind(t, path, err, kind)
	}
	o, err := lcm.ReadOverview(t.Context(), broken(t, "truncated-file"), time.Now())
	if err == nil && len(o.Warnings) == 0 || err != nil && !errors.Is(err, data.ErrDamaged) {
		t.Errorf("a file that is cut off: %v, warnings %v", err, o.Warnings)
	}
}

// TestOverviewsOfAllFixtures: files of every version are read.
func TestOverviewsOfAllFixtures(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"v0.1.0/small.db", "v0.15.3/small.db", "v1.0/small.db", "v1.0/upgraded-small.db"} {
		o, err := lcm.ReadOverview(t.Context(), fixture(t, name), time.Now())
		if err != nil || o.Conversations == 0 || o.Messages == 0 || !o.LastMessageAt.Valid() || o.Growth.PerDay != 0 {
			t.Errorf("%s: %+v, %v", name, o, err)
		}
	}
}

// TestTheGreatestDepthIsANumber: a depth that is a text, which SQLite sorts above all numbers, hides no summary that is deeper.
func TestTheGreatestDepthIsANumber(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	must(t, faults.Alter(path, "UPDATE summaries SET depth = 'none' WHERE summary_id = (SELECT min(summary_id) FROM summaries WHERE depth = 0)"))
	all, err := lcm.AllTokenTotals(t.Context(), testdb.Open(t, path))
	must(t, err)
	deepest := slices.MaxFunc(all, func(a, b lcm.TokenTotals) int { return cmp.Compare(a.MaxDepth, b.MaxDepth) })
	if deepest.MaxDepth == 0 {
		t.Errorf("the greatest depths are %+v", all)
	}
}
