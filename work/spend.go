package work

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"lcm-tui/data"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/plural"
)

// Limits are how many calls of models a day may have, and how many US dollars they may cost; 0 is none at all of
// calls, and no limit of dollars.
type Limits struct {
	Calls   int     `json:"max_calls_per_day"`
	Dollars float64 `json:"max_dollars_per_day"`
	Rests   Rests   `json:"-"` // Where none are set, those of a host without settings.
}

// Spend is what the calls of a day took.
type Spend struct {
	Since        string  `json:"since"` // The begin of the day here, as a time in UTC.
	Calls        int     `json:"calls"`
	InputTokens  int64   `json:"input_tokens"`
	OutputTokens int64   `json:"output_tokens"`
	Dollars      float64 `json:"dollars"`
	Unpriced     int     `json:"calls_of_unknown_price"`
}

// LimitError says that a call would pass the limits of a day.
type LimitError struct {
	Spend Spend
	until time.Duration
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("the limit of the day is reached: %s and $%.4f since %s", plural.Count(e.Spend.Calls, "call", "calls"), e.Spend.Dollars, e.Spend.Since)
}

// Unwrap gives summarize.ErrLimit.
func (e *LimitError) Unwrap() error { return summarize.ErrLimit }

// RetryAfter returns the time until the next day.
func (e *LimitError) RetryAfter() time.Duration { return e.until }

// Hint says what to do.
func (e *LimitError) Hint() string {
	return "it goes on tomorrow; [work] in config.toml has max-calls-per-day and max-dollars-per-day"
}

// startOfDay returns when the day of a time began where this program runs.
func startOfDay(now time.Time) time.Time {
	y, m, d := now.Date()
	return data.InZone(time.Date(y, m, d, 0, 0, 0, 0, time.UTC), now.Location())
}

// Today returns what the calls of a day took. Those of the next day count too, of a clock that was set back since.
func (s *Sidecar) Today(ctx context.Context, now time.Time) (Spend, error) {
	sp, err := spendSince(ctx, s.conn(), startOfDay(now))
	return sp, s.wrap("read the spend", err)
}

// AtLimit reports whether no call may be made today any more.
func (s *Sidecar) AtLimit(ctx context.Context, l Limits, now time.Time) (bool, error) {
	sp, err := s.Today(ctx, now)
	return sp.reaches(l, 0), err
}

// reaches reports whether one more call of a price would pass limits.
func (sp Spend) reaches(l Limits, price float64) bool {
	return sp.Calls >= l.Calls || l.Dollars > 0 && (sp.Dollars >= l.Dollars || sp.Dollars+price > l.Dollars)
}

// rower is what can be asked for a row.
type rower interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func spendSince(ctx context.Context, db rower, day time.Time) (sp Spend, err error) {
	sp.Since = data.FormatTimeMillis(day)
	row := db.QueryRowContext(ctx, "SELECT count(*), total(input_tokens), total(output_tokens), total(dollars), count(*) - count(dollars) FROM call WHERE at >= ? AND at < ?",
		sp.Since, data.FormatTimeMillis(day.AddDate(0, 0, 2)))
	var in, out float64
	err = row.Scan(&sp.Calls, &in, &out, &sp.Dollars, &sp.Unpriced)
	sp.InputTokens, sp.OutputTokens = int64(in), int64(out)
	return sp, err
}

// Meter returns a model whose calls are noted before they are made, so that a process that is killed forgets none,
// and refused where the day has no room for them. The errors of these are *LimitError.
func (s *Sidecar) Meter(m summarize.Model, l Limits, conversation int64) summarize.Model {
	return &meter{m, s, l, conversation}
}

type meter struct {
	summarize.Model
	notes        *Sidecar
	limits       Limits
	conversation int64
}

// Unwrap gives the model itself.
func (m *meter) Unwrap() summarize.Model { return m.Model }

// Price implements summarize.Pricer.
func (m *meter) Price(in, out int64) (float64, bool) { return summarize.Price(m.Model, in, out) }

// Summarize implements summarize.Model.
func (m *meter) Summarize(ctx context.Context, r summarize.Request) (summarize.Reply, error) {
	in := int64(len(r.System)+len(r.Prompt)) / 4
	id, err := m.reserve(ctx, in, int64(r.Target))
	if err != nil {
		return summarize.Reply{}, err
	}
	reply, err := m.Model.Summarize(ctx, r)
	outcome := "ok"
	if err != nil {
		outcome = "failed"
	}
	ctx = context.WithoutCancel(ctx)
	noted := m.notes.change(ctx, "note a call", func(tx *sql.Tx) error {
		dollars := sql.NullFloat64{Float64: reply.Cost, Valid: reply.Priced || reply.Cost > 0}
		_, failed := tx.ExecContext(ctx, `UPDATE call SET input_tokens = coalesce(nullif(?, 0), input_tokens), output_tokens = ?, outcome = ?,
			dollars = coalesce(?, dollars) WHERE id = ?`, reply.InputTokens, reply.OutputTokens, outcome, dollars, id)
		if failed != nil {
			return failed
		}
		return noteSignIn(ctx, tx, m.limits.Rests.orPresets(), m.Name(), err, time.Now())
	})
	return reply, errors.Join(err, noted)
}

// reserve notes a call with what it is likely to take.
func (m *meter) reserve(ctx context.Context, in, out int64) (id int64, err error) {
	price, priced := summarize.Price(m.Model, in, out)
	var refused error
	err = m.notes.change(ctx, "note a call", func(tx *sql.Tx) error {
		now := time.Now()
		day := startOfDay(now)
		sp, err := spendSince(ctx, tx, day)
		if err != nil {
			return err
		}
		if sp.reaches(m.limits, price) {
			refused = &LimitError{sp, day.AddDate(0, 0, 1).Sub(now)}
			return nil
		}
		refused, err = checkBreaker(ctx, tx, m.limits.Rests.orPresets(), m.Name(), now)
		if err == nil && refused == nil {
			refused, err = checkWindow(ctx, tx, m.limits.Rests.orPresets(), m.conversation, now)
		}
		if err != nil || refused != nil {
			return err // What a refusal notes stays.
		}
		return tx.QueryRowContext(ctx, "INSERT INTO call (at, conversation, model, input_tokens, dollars) VALUES (?, ?, ?, ?, ?) RETURNING id",
			data.FormatTimeMillis(now), m.conversation, m.Name(), in, sql.NullFloat64{Float64: price, Valid: priced}).Scan(&id)
	})
	return id, cmp.Or(err, refused)
}
