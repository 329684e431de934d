package work

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"time"

	"lcm-tui/data"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/plural"
)

// Rests are when no calls of models are made for a while, although the day has room for them.
type Rests struct {
	Refusals int64         // Of its key in a row, after which a model isn't asked.
	Key      time.Duration // For how long.
	Calls    int64         // For one conversation within Window, after which none is made for it.
	Window   time.Duration
	Calm     time.Duration // For how long.
}

// orPresets returns the rests, or where there are none those of a host without settings.
func (r Rests) orPresets() Rests {
	if r == (Rests{}) {
		return Rests{Refusals: 5, Key: 30 * time.Minute, Calls: 24, Window: 10 * time.Minute, Calm: 30 * time.Minute}
	}
	return r
}

// PauseError says that no call is made for a while.
type PauseError struct {
	why  string
	next string // What to do.
	wait time.Duration
	kind error // summarize.ErrResting where another model may be called; or nil.
}

func (e *PauseError) Error() string { return e.why }

// Unwrap gives summarize.ErrLimit, and summarize.ErrResting where another model may be called.
func (e *PauseError) Unwrap() []error {
	if e.kind == nil {
		return []error{summarize.ErrLimit}
	}
	return []error{summarize.ErrLimit, e.kind}
}

// RetryAfter returns after which time a call may be made.
func (e *PauseError) RetryAfter() time.Duration { return e.wait }

// Hint says what to do.
func (e *PauseError) Hint() string { return e.next }

// noteSignIn counts the refusals of a model's key: any other outcome but a cancel ends the row of them.
func noteSignIn(ctx context.Context, tx *sql.Tx, r Rests, model string, failed error, now time.Time) error {
	switch {
	case errors.Is(failed, context.Canceled):
		return nil
	case !errors.Is(failed, summarize.ErrAuth):
		_, err := tx.ExecContext(ctx, "DELETE FROM breaker WHERE model = ?", model)
		return err
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO breaker (model, failures, open_until) VALUES (?1, 1, CASE WHEN ?2 <= 1 THEN ?3 ELSE '' END) ON CONFLICT (model) DO UPDATE SET failures = failures + 1,
		open_until = CASE WHEN failures + 1 >= ?2 THEN ?3 ELSE '' END`, model, r.Refusals, data.FormatTimeMillis(now.Add(r.Key)))
	return err
}

// checkBreaker returns why a model isn't called after its key was refused so often, or nil. After the time one call
// says whether it goes on.
func checkBreaker(ctx context.Context, tx *sql.Tx, r Rests, model string, now time.Time) (refused, err error) {
	var until string
	err = tx.QueryRowContext(ctx, "SELECT open_until FROM breaker WHERE model = ?", model).Scan(&until)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	wait, waits := remaining(until, now, r.Key)
	if err != nil || !waits {
		return nil, err
	}
	return &PauseError{
		fmt.Sprintf("the key of %s was refused %s in a row, so it isn't asked until %s", model, plural.Count(r.Refusals, "time", "times"), clock(now.Add(wait))),
		"check the key; lcm-tui work run CONV asks at once after lcm-tui work resume", wait, summarize.ErrResting,
	}, nil
}

// remaining returns how long it is until a time that lies at most a span ahead. One that lies further ahead was noted
// before the clock was set back, and is over.
func remaining(until string, now time.Time, most time.Duration) (wait time.Duration, waits bool) {
	at, err := time.Parse(time.RFC3339, until)
	if err != nil {
		return 0, false
	}
	wait = at.Sub(now)
	return wait, wait > 0 && wait <= most
}

// clock returns a time as texts say it.
func clock(at time.Time) string { return at.UTC().Format("15:04 UTC") }

// checkWindow returns why no call is made for a conversation that had many of them in a short time, or nil. It notes
// until when that holds.
func checkWindow(ctx context.Context, tx *sql.Tx, r Rests, conversation int64, now time.Time) (refused, err error) {
	name := "calls:" + strconv.FormatInt(conversation, 10)
	var until string
	if err := tx.QueryRowContext(ctx, "SELECT coalesce(max(value), '') FROM setting WHERE name = ?", name).Scan(&until); err != nil {
		return nil, err
	}
	wait, waits := remaining(until, now, r.Calm)
	if !waits {
		var calls int64
		row := tx.QueryRowContext(ctx, "SELECT count(*) FROM call WHERE conversation = ? AND at > ? AND at <= ?",
			conversation, data.FormatTimeMillis(now.Add(-r.Window)), data.FormatTimeMillis(now))
		if err := row.Scan(&calls); err != nil || calls < r.Calls {
			return nil, err
		}
		wait = r.Calm
		if _, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)", name, data.FormatTimeMillis(now.Add(wait))); err != nil {
			return nil, err
		}
	}
	return &PauseError{
		fmt.Sprintf("conversation %d had %s within %s, so none is made for it until %s", conversation, plural.Count(r.Calls, "call", "calls"), spanText(r.Window), clock(now.Add(wait))),
		"it goes on by itself", wait, nil,
	}, nil
}

// spanText returns a time as texts say it, in minutes where it has no seconds.
func spanText(d time.Duration) string {
	if d >= time.Minute && d%time.Minute == 0 {
		return plural.Count(int64(d/time.Minute), "minute", "minutes")
	}
	return d.String()
}

// CloseBreakers lets models be asked again whose keys were refused.
func (s *Sidecar) CloseBreakers(ctx context.Context) error {
	return s.change(ctx, "close the breakers", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM breaker")
		return err
	})
}

// Breakers returns the models that aren't asked now because their keys were refused, and until when.
func (s *Sidecar) Breakers(ctx context.Context, r Rests, now time.Time) (map[string]string, error) {
	out, most := map[string]string{}, r.orPresets().Key
	rows, err := s.conn().QueryContext(ctx, "SELECT model, open_until FROM breaker WHERE open_until <> ''")
	if err != nil {
		return nil, s.wrap("read the breakers", err)
	}
	defer rows.Close()
	for rows.Next() {
		var model, until string
		if err := rows.Scan(&model, &until); err != nil {
			return nil, s.wrap("read the breakers", err)
		}
		if _, waits := remaining(until, now, most); waits {
			out[model] = until
		}
	}
	return out, s.wrap("read the breakers", rows.Err())
}
