package work

import (
	"context"
	"database/sql"
	"time"

	"lcm-tui/data"
)

// Finding is what a host did to a context after this program wrote, because it ended a compaction that it had begun
// before.
type Finding struct {
	Record       int64  `json:"record"` // Of the write.
	Conversation int64  `json:"conversation_id"`
	Kind         string `json:"kind"`
	Messages     int    `json:"messages"`
	FoundAt      string `json:"found_at"`
	OverAt       string `json:"over_at,omitempty"` // When it wasn't there any more.
	What         string `json:"what"`              // In words.
	Plan         string `json:"plan,omitempty"`    // The file with the plan of the repair.
}

// The kinds of findings.
const (
	Lost    = "lost"    // Messages that could be reached from the context before can't any more.
	Doubled = "doubled" // A summary stands beside its own messages.
)

// NoteFindings notes what there is now. What was noted before and isn't there any more is over. It returns what is
// new.
func (c Checks) NoteFindings(ctx context.Context, now []Finding) (fresh []Finding, err error) {
	err = c.notes.change(ctx, "note what hosts did", func(tx *sql.Tx) error {
		at := data.FormatTimeMillis(time.Now())
		if _, err := tx.ExecContext(ctx, "UPDATE coverage SET over_at = ? WHERE over_at = ''", at); err != nil {
			return err
		}
		for _, f := range now {
			f.FoundAt = at
			var known bool
			row := tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM coverage WHERE record = ? AND conversation = ? AND kind = ?)", f.Record, f.Conversation, f.Kind)
			if err := row.Scan(&known); err != nil {
				return err
			}
			_, err := tx.ExecContext(ctx, `INSERT INTO coverage (record, conversation, kind, messages, found_at, what) VALUES (?, ?, ?, ?, ?, ?)
				ON CONFLICT (record, conversation, kind) DO UPDATE SET messages = excluded.messages, over_at = '', what = excluded.what`,
				f.Record, f.Conversation, f.Kind, f.Messages, at, f.What)
			if err != nil {
				return err
			}
			if !known {
				fresh = append(fresh, f)
			}
		}
		return nil
	})
	return fresh, err
}

// NotePlan notes in which file the plan of a finding's repair lies.
func (c Checks) NotePlan(ctx context.Context, f Finding) error {
	return c.notes.change(ctx, "note a plan", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE coverage SET plan = ? WHERE record = ? AND conversation = ? AND kind = ?", f.Plan, f.Record, f.Conversation, f.Kind)
		return err
	})
}

// Findings returns those that aren't over, the oldest first.
func (c Checks) Findings(ctx context.Context) ([]Finding, error) {
	out := []Finding{}
	rows, err := c.notes.conn().QueryContext(ctx, "SELECT record, conversation, kind, messages, found_at, what, plan FROM coverage WHERE over_at = '' ORDER BY found_at, record")
	if err != nil {
		return nil, c.notes.wrap("read what hosts did", err)
	}
	defer rows.Close()
	for rows.Next() {
		var f Finding
		if err := rows.Scan(&f.Record, &f.Conversation, &f.Kind, &f.Messages, &f.FoundAt, &f.What, &f.Plan); err != nil {
			return nil, c.notes.wrap("read what hosts did", err)
		}
		out = append(out, f)
	}
	return out, c.notes.wrap("read what hosts did", rows.Err())
}

// Uncovered returns how many messages can't be reached any more that could be before a host ended its compaction.
func (c Checks) Uncovered(ctx context.Context) (n int64, err error) {
	err = c.notes.conn().QueryRowContext(ctx, "SELECT coalesce(sum(messages), 0) FROM coverage WHERE over_at = '' AND kind = '"+Lost+"'").Scan(&n)
	return n, c.notes.wrap("read what hosts did", err)
}
