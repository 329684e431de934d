package metrics

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"lcm-tui/data"
	"lcm-tui/work"
)

// Exporter reads the numbers of one database. Several goroutines may use it.
type Exporter struct {
	// Open opens the database for reading.
	Open func(ctx context.Context) (*data.DB, error)
	// Notes gives what is noted beside it. Without it, which is nil, nothing is counted on from one scrape to the next.
	Notes Notes
	// Calls is what measures calls in this process; or nil.
	Calls *Recorder
	// Version is that of the program.
	Version string
	// Thresholds reads the settings in force. It returns what says from how many tokens on a context is compacted, for the
	// budget that a host noted or 0.
	Thresholds func() func(budget int64) int64
	// Conversations is how many of the fullest contexts have series of their own.
	Conversations int
	// Replica reads how far the replica of the database is behind, at most for replicaWait; ok is false where there is none. It may be
	// nil. Where the database is a replica itself, that is asked.
	Replica func(ctx context.Context) (lag data.ReplicaLag, ok bool, err error)
}

// replicaWait is how long a scrape waits for the server of a replica.
const replicaWait = 2 * time.Second

const (
	// fileSample is the name under which the last sample of the database is kept.
	fileSample = "database"
	// sampleWait is how long a scrape waits for another one.
	sampleWait = 2 * time.Second
)

// numbers are everything that is shown.
type numbers struct {
	sample
	sampled   bool // There is a sample of the database.
	counters  []work.Counter
	latencies []work.Latency
	check     map[string]int       // Findings by severity; nil before the first check.
	ticks     map[string]time.Time // Of each service that noted one.
	lag       time.Duration
	replica   *data.ReplicaLag // Nil where there is no replica, or its server doesn't answer.
}

// read reads all numbers. Where the database can't be read, those of the last sample of it are shown, and the error is
// stale, which was counted. err is that nothing can be shown.
func (e *Exporter) read(ctx context.Context) (n numbers, stale, err error) {
	if err := e.Calls.Note(ctx); err != nil {
		return n, nil, err
	}
	if e.Notes == nil {
		var c contents
		if c, err = e.readFile(ctx, nil); err == nil {
			n.sample, n.sampled, n.replica = c.sample, true, c.replica
			n.count = c.counted(nil)
		}
		return n, nil, err
	}
	n.replica = e.replicaLag(ctx, e.Replica)
	notes, err := e.Notes(ctx)
	if err != nil {
		return n, nil, err
	}
	if stale, err = e.sample(ctx, notes, &n); err != nil {
		return n, nil, err
	}
	if stale != nil {
		if err := notes.Counts().Add(ctx, work.Counter{Name: work.FailedScrapes, Value: 1}); err != nil {
			return n, stale, err
		}
	}
	if n.counters, err = notes.Counts().Counters(ctx); err != nil {
		return n, stale, err
	}
	if n.latencies, err = notes.Counts().Latencies(ctx); err != nil {
		return n, stale, err
	}
	if n.check, err = notes.Counts().CheckedFindings(ctx); err != nil {
		return n, stale, err
	}
	if n.ticks, err = ticksOf(ctx, notes); err != nil {
		return n, stale, err
	}
	n.lag, err = followLag(ctx, notes, time.Now())
	return n, stale, err
}

// ticksOf returns when each service looked last at what there is to do.
func ticksOf(ctx context.Context, notes *work.Sidecar) (map[string]time.Time, error) {
	out := map[string]time.Time{}
	for _, service := range []string{work.FollowService, work.WorkService} {
		t, ok, err := notes.Counts().Tick(ctx, service)
		if err != nil {
			return nil, err
		}
		if ok {
			out[service] = t.At
		}
	}
	return out, nil
}

// sample takes a sample of the database and keeps it, or reads the last one that was kept: also where another process
// is at it for too long.
func (e *Exporter) sample(ctx context.Context, notes *work.Sidecar, n *numbers) (stale, err error) {
	release, turn, err := notes.Counts().LockSamples(ctx, sampleWait)
	if err != nil {
		return nil, err
	}
	defer release()
	var before *sample
	var kept sample
	if n.sampled, err = notes.Counts().Sample(ctx, fileSample, &kept); err != nil {
		return nil, err
	}
	if n.sampled {
		before, n.sample = &kept, kept
	}
	if !turn && n.sampled {
		return nil, nil
	}
	c, stale := e.readFile(ctx, before)
	if stale != nil {
		return stale, ctx.Err()
	}
	c.count = c.counted(before)
	n.sample, n.sampled = c.sample, true
	return nil, notes.Counts().SetSample(ctx, fileSample, c.sample)
}

// readFile opens the database and reads it.
func (e *Exporter) readFile(ctx context.Context, before *sample) (c contents, err error) {
	db, err := e.Open(ctx)
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	c, err = reader{e.Thresholds(), e.Conversations, before}.read(ctx, db)
	if r, ok := db.Replica(); ok && r.Lag != nil { // A home is behind nothing.
		c.replica = e.replicaLag(ctx, func(ctx context.Context) (data.ReplicaLag, bool, error) {
			lag, err := r.Lag(ctx)
			return lag, true, err
		})
	}
	c.Host, c.DatabaseBytes, c.WALBytes = hostStateOf(db), fileSize(db.Path()), fileSize(db.Path()+data.WALSuffix)
	return c, err
}

// replicaLag reads the lag of a replica. A server that doesn't answer must not keep the other numbers back.
func (e *Exporter) replicaLag(ctx context.Context, read func(context.Context) (data.ReplicaLag, bool, error)) *data.ReplicaLag {
	if read == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, replicaWait)
	defer cancel()
	lag, ok, err := read(ctx)
	if err != nil || !ok {
		return nil
	}
	return &lag
}

func fileSize(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// hostState is whether another program has the database open.
type hostState string

// The states.
const (
	liveHost    hostState = "live"
	quietHost   hostState = "quiet"
	unknownHost hostState = "unknown"
)

var hostStates = []hostState{liveHost, quietHost, unknownHost}

// ownNames are the names of processes of this program, as the system shows them: it cuts long ones.
var ownNames = func() []string {
	const shown = 15
	names := []string{"lcm-tui"}
	if path, err := os.Executable(); err == nil {
		name := filepath.Base(path)
		names = append(names, name[:min(shown, len(name))])
	}
	return names
}()

// hostStateOf asks the system who has a database open. Processes of this program are no hosts.
func hostStateOf(db *data.DB) hostState {
	held := db.Holders(db.Path())
	isHost := func(name string) bool {
		return !slices.ContainsFunc(ownNames, func(own string) bool { return strings.HasPrefix(name, own+" (") })
	}
	switch {
	case slices.ContainsFunc(held.Names, isHost):
		return liveHost
	case held.Known:
		return quietHost
	}
	return unknownHost
}
