package metrics_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/filesystem"
	"lcm-tui/internal/testdb"
	"lcm-tui/metrics"
	"lcm-tui/work"
)

// station is a database with what is noted beside it.
type station struct {
	*metrics.Exporter
	t     *testing.T
	path  string
	notes *work.Sidecar
}

func newStation(t *testing.T, path string) *station {
	t.Helper()
	notes, err := work.Open(t.Context(), t.TempDir())
	testdb.Must(t, err)
	t.Cleanup(func() { _ = notes.Close() })
	return &station{t: t, path: path, notes: notes, Exporter: &metrics.Exporter{
		Open: func(ctx context.Context) (*data.DB, error) { return data.Open(ctx, path) }, Notes: func(context.Context) (*work.Sidecar, error) { return notes, nil }, Version: "1.2.3",
		Thresholds: func() func(int64) int64 { return func(int64) int64 { return 1000 } },
	}}
}

// text scrapes, and returns the lines of the series.
func (s *station) text() string {
	s.t.Helper()
	all, stale, err := s.Gather(s.t.Context())
	testdb.Must(s.t, err)
	testdb.Must(s.t, stale)
	text, err := metrics.Text(all)
	testdb.Must(s.t, err)
	return text
}

// wants fails where a scrape lacks one of these lines.
func (s *station) wants(lines ...string) {
	s.t.Helper()
	text := s.text()
	for _, line := range lines {
		if !strings.Contains(text, line+"\n") {
			s.t.Errorf("no line %q in\n%s", line, text)
		}
	}
}

// TestTheStateOfTheHost: another program that has the file open is a host, and a process of this program is none.
func TestTheStateOfTheHost(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	for state, held := range map[string]filesystem.Holders{
		"live":    {Names: []string{"lcm-tui (process 2)", "node (process 3)"}, Known: true},
		"quiet":   {Names: []string{"lcm-tui (process 2)"}, Known: true},
		"unknown": {},
	} {
		s := newStation(t, path)
		s.Open = func(ctx context.Context) (*data.DB, error) {
			db, err := data.Open(ctx, path)
			if err == nil {
				db.Holders = func(string) filesystem.Holders { return held }
			}
			return db, err
		}
		for _, name := range []string{"live", "quiet", "unknown"} {
			want := 0
			if name == state {
				want = 1
			}
			s.wants(fmt.Sprintf("lcm_host_state{state=%q} %d", name, want))
		}
	}
}
