package agents

import (
	"context"
	"errors"
	"sync"
	"time"

	"lcm-tui/cli"
	"lcm-tui/data/openclaw"
	"lcm-tui/mcp"
	"lcm-tui/metrics"
	"lcm-tui/work"
)

// latencyOf says which latency a tool counts for.
var latencyOf = map[string]string{
	"lcm_grep": metrics.SearchLatency, "lcm_search": metrics.SearchLatency, "lcm_expand": metrics.ExpandLatency,
}

// errNothingBeside says that nothing can be noted beside a database.
var errNothingBeside = errors.New("there is no database yet, or no folder for state: set HOME or XDG_STATE_HOME")

// lateNotes is the sidecar of a database, opened when something is noted first: a server may start before there is a
// database.
type lateNotes struct {
	c *cli.Invocation

	mu    sync.Mutex
	notes *work.Sidecar
}

func (l *lateNotes) open(ctx context.Context) (*work.Sidecar, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.notes != nil {
		return l.notes, nil
	}
	state := openclaw.OwnState(l.c.Sys.Env)
	locations, _ := l.c.Locate() // What is wrong is said when the database is opened.
	if state == "" || !cli.DatabaseExists(locations.Database) {
		return nil, errNothingBeside
	}
	notes, err := work.Open(ctx, work.Folder(state, locations.Database))
	l.notes = notes
	return notes, err
}

func (l *lateNotes) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.notes != nil {
		_ = l.notes.Close()
	}
}

// measure has the server measure its calls, and with --http serve the metrics. done notes what is left.
func (m *mcpFlags) measure(c *cli.Invocation, o *mcp.Options) (done func()) {
	late := &lateNotes{c: c}
	calls := metrics.NewRecorder(late.open)
	o.Observe = func(tool string, took time.Duration) {
		if name := latencyOf[tool]; name != "" {
			calls.Observe(name, took)
		}
	}
	if m.http.Value != "" {
		e := newExporter(c)
		if openclaw.OwnState(c.Sys.Env) != "" {
			e.Notes, e.Calls = late.open, calls
		}
		o.Metrics = e.Handler()
	}
	return func() {
		_ = calls.Close() // Nobody waits for what can't be noted.
		late.close()
	}
}
