package work

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"path/filepath"
	"time"

	"lcm-tui/data"
)

// Counter is a number that only rises. First and Second tell those of one name apart.
type Counter struct {
	Name, First, Second string
	Value               float64
}

// The names of counters. What First and Second are stands behind each.
const (
	EndedRuns          = "compaction_runs"     // Reason and outcome of a compaction.
	EndedCalls         = "model_calls"         // The model and the outcome.
	CallTokens         = "model_tokens"        // InputTokens or OutputTokens.
	CallDollars        = "model_cost"          // Of calls whose price is known.
	InjectedCharacters = "injected_characters" // Put into contexts.
	BadLines           = "follow_bad_lines"    // Of followed session files.
	FoundFaults        = "integrity_failures"  // Findings that are errors or worse, of all checks together.
	FailedScrapes      = "scrape_errors"
)

// The directions of CallTokens.
const (
	InputTokens  = "input"
	OutputTokens = "output"
)

// addOne is the end of a statement that adds a row to the counters.
const addOne = " ON CONFLICT (name, first, second) DO UPDATE SET value = value + excluded.value"

// countSchema makes the tables of what is counted. Triggers count in the transaction that changes a row, whatever
// code changes it, and go on counting where old rows are deleted.
const countSchema = `
CREATE TABLE counted (id INTEGER PRIMARY KEY, name TEXT NOT NULL, first TEXT NOT NULL DEFAULT '', second TEXT NOT NULL DEFAULT '', value REAL NOT NULL,
	UNIQUE (name, first, second));
CREATE TABLE latency (name TEXT NOT NULL, up_to INTEGER NOT NULL, times INTEGER NOT NULL, milliseconds REAL NOT NULL, PRIMARY KEY (name, up_to));
CREATE TABLE sample (name TEXT PRIMARY KEY, at TEXT NOT NULL, value TEXT NOT NULL);
INSERT INTO counted (name, first, second, value) SELECT '` + EndedRuns + `', reason, state, count(*) FROM job
	WHERE kind = 'compaction' AND state IN ('done', 'skipped', 'failed') GROUP BY reason, state ORDER BY min(id);
INSERT INTO counted (name, first, second, value) SELECT '` + EndedCalls + `', model, outcome, count(*) FROM call WHERE outcome <> '' GROUP BY model, outcome ORDER BY min(id);
INSERT INTO counted (name, first, value) SELECT '` + CallTokens + `', '` + InputTokens + `', sum(input_tokens) FROM call WHERE outcome <> '' HAVING count(*) > 0;
INSERT INTO counted (name, first, value) SELECT '` + CallTokens + `', '` + OutputTokens + `', sum(output_tokens) FROM call WHERE outcome <> '' HAVING count(*) > 0;
INSERT INTO counted (name, value) SELECT '` + CallDollars + `', sum(dollars) FROM call WHERE outcome <> '' HAVING count(dollars) > 0;
INSERT INTO counted (name, value) SELECT '` + InjectedCharacters + `', sum(characters) FROM injection HAVING count(*) > 0;
CREATE TRIGGER count_call AFTER UPDATE OF outcome ON call WHEN OLD.outcome = '' AND NEW.outcome <> '' BEGIN
	INSERT INTO counted (name, first, second, value) VALUES ('` + EndedCalls + `', NEW.model, NEW.outcome, 1)` + addOne + `;
	INSERT INTO counted (name, first, second, value) VALUES ('` + CallTokens + `', '` + InputTokens + `', '', NEW.input_tokens)` + addOne + `;
	INSERT INTO counted (name, first, second, value) VALUES ('` + CallTokens + `', '` + OutputTokens + `', '', NEW.output_tokens)` + addOne + `;
	INSERT INTO counted (name, first, second, value) SELECT '` + CallDollars + `', '', '', NEW.dollars WHERE NEW.dollars IS NOT NULL` + addOne + `;
END;
CREATE TRIGGER count_injection AFTER INSERT ON injection WHEN NEW.characters > 0 BEGIN
	INSERT INTO counted (name, first, second, value) VALUES ('` + InjectedCharacters + `', '', '', NEW.characters)` + addOne + `;
END;
CREATE TRIGGER count_run AFTER UPDATE OF finished_at ON job WHEN NEW.kind = 'compaction' AND NEW.finished_at <> OLD.finished_at BEGIN
	INSERT INTO counted (name, first, second, value) VALUES ('` + EndedRuns + `', NEW.reason,
		CASE WHEN NEW.state IN ('done', 'skipped', 'failed') THEN NEW.state WHEN NEW.error <> '' THEN 'failed' ELSE 'done' END, 1)` + addOne + `;
END;
CREATE TRIGGER count_postponed AFTER UPDATE OF not_before ON job WHEN NEW.kind = 'compaction' AND NEW.error <> '' AND NEW.not_before > OLD.not_before BEGIN
	INSERT INTO counted (name, first, second, value) VALUES ('` + EndedRuns + `', NEW.reason, 'postponed', 1)` + addOne + `;
END;
`

// Counts are the counters, latencies and samples from which metrics are made.
type Counts struct{ notes *Sidecar }

// Counts returns those of the sidecar.
func (s *Sidecar) Counts() Counts { return Counts{s} }

// Add adds to a counter.
func (s Counts) Add(ctx context.Context, c Counter) error {
	return s.notes.change(ctx, "count", func(tx *sql.Tx) error { return add(ctx, tx, c) })
}

func add(ctx context.Context, tx *sql.Tx, c Counter) error {
	_, err := tx.ExecContext(ctx, "INSERT INTO counted (name, first, second, value) VALUES (?, ?, ?, ?)"+addOne, c.Name, c.First, c.Second, c.Value)
	return err
}

// AddBadLines counts lines of followed session files that couldn't be read.
func (s Counts) AddBadLines(ctx context.Context, n int) error {
	if n == 0 {
		return nil
	}
	return s.Add(ctx, Counter{Name: BadLines, Value: float64(n)})
}

// Counters returns all counters, those that began to count first first.
func (s Counts) Counters(ctx context.Context) (out []Counter, err error) {
	err = s.each(ctx, "SELECT name, first, second, value FROM counted ORDER BY id", func(scan data.RowScanner) error {
		var c Counter
		err := scan(&c.Name, &c.First, &c.Second, &c.Value)
		out = append(out, c)
		return err
	})
	return out, err
}

// Latency is how often something took at most UpTo milliseconds and longer than the next smaller bound, and how long
// that took together.
type Latency struct {
	Name         string
	UpTo         int64
	Times        int64
	Milliseconds float64
}

// AddLatencies adds to what is noted of latencies.
func (s Counts) AddLatencies(ctx context.Context, all []Latency) error {
	return s.notes.change(ctx, "note latencies", func(tx *sql.Tx) error {
		for _, l := range all {
			_, err := tx.ExecContext(ctx, `INSERT INTO latency (name, up_to, times, milliseconds) VALUES (?, ?, ?, ?)
				ON CONFLICT (name, up_to) DO UPDATE SET times = times + excluded.times, milliseconds = milliseconds + excluded.milliseconds`, l.Name, l.UpTo, l.Times, l.Milliseconds)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// Latencies returns what is noted of latencies, by name and bound.
func (s Counts) Latencies(ctx context.Context) (out []Latency, err error) {
	err = s.each(ctx, "SELECT name, up_to, times, milliseconds FROM latency ORDER BY name, up_to", func(scan data.RowScanner) error {
		var l Latency
		err := scan(&l.Name, &l.UpTo, &l.Times, &l.Milliseconds)
		out = append(out, l)
		return err
	})
	return out, err
}

// Sample reads what was sampled last under a name; not ok where nothing was, or it can't be read.
func (s Counts) Sample(ctx context.Context, name string, into any) (ok bool, err error) {
	var text string
	err = s.notes.conn().QueryRowContext(ctx, "SELECT value FROM sample WHERE name = ?", name).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, s.notes.wrap("read samples", err)
	}
	return json.Unmarshal([]byte(text), into) == nil, nil
}

// SetSample notes what was sampled under a name.
func (s Counts) SetSample(ctx context.Context, name string, sample any) error {
	return s.notes.change(ctx, "note samples", func(tx *sql.Tx) error { return setSample(ctx, tx, name, sample) })
}

func setSample(ctx context.Context, tx *sql.Tx, name string, sample any) error {
	text, err := json.Marshal(sample)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "INSERT OR REPLACE INTO sample (name, at, value) VALUES (?, ?, ?)", name, data.FormatTimeMillis(time.Now()), string(text))
	return err
}

// checkSample is the name of the sample of the last check.
const checkSample = "check"

// NoteCheck notes what a check of the whole file found: how many findings of each severity, and how many of them are
// errors or worse.
func (s Counts) NoteCheck(ctx context.Context, findings map[string]int, errs int) error {
	return s.notes.change(ctx, "note a check", func(tx *sql.Tx) error {
		if err := add(ctx, tx, Counter{Name: FoundFaults, Value: float64(errs)}); err != nil {
			return err
		}
		return setSample(ctx, tx, checkSample, findings)
	})
}

// CheckedFindings returns how many findings of each severity the last check of the whole file had; nil where none was noted.
func (s Counts) CheckedFindings(ctx context.Context) (findings map[string]int, err error) {
	_, err = s.Sample(ctx, checkSample, &findings)
	return findings, err
}

// Imported is how far a followed session file was imported.
type Imported struct {
	Path   string
	Offset int64 // In bytes, behind the last line that was imported, or behind all where nothing is left to import.
}

// ImportedFiles returns how far each followed session file was imported.
func (s Counts) ImportedFiles(ctx context.Context) (out []Imported, err error) {
	const query = "SELECT path, CASE WHEN json_valid(state) THEN coalesce(max(json_extract(state, '$.mark.offset'), coalesce(json_extract(state, '$.seen'), 0)), 0) ELSE 0 END FROM position ORDER BY path"
	err = s.each(ctx, query, func(scan data.RowScanner) error {
		var i Imported
		err := scan(&i.Path, (*data.Integer)(&i.Offset))
		out = append(out, i)
		return err
	})
	return out, err
}

// each calls fn with the rows of a query.
func (s Counts) each(ctx context.Context, query string, fn func(data.RowScanner) error) error {
	return s.notes.wrap("read counters", data.EachRow(ctx, s.notes.conn(), query, nil, fn))
}

// LockSamples waits for the turn to take a sample and note it, so that each builds on the one before. Not ok is that
// others have it for longer than wait.
func (s Counts) LockSamples(ctx context.Context, wait time.Duration) (release func(), ok bool, err error) {
	f, err := tryLock(ctx, filepath.Join(filepath.Dir(s.notes.path), "samples.lock"), wait)
	if err != nil || f == nil {
		return func() {}, false, err
	}
	return func() { _ = f.Close() }, true, nil
}
