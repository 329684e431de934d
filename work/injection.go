package work

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"lcm-tui/data"
)

// Injections is what was put into the context of a session since its last compaction.
type Injections struct {
	Characters int
	IDs        map[string]bool // Of summaries.
}

// Injected returns what was put into the context of a session since its injections were reset.
func (s *Sidecar) Injected(ctx context.Context, session string) (in Injections, err error) {
	in.IDs = map[string]bool{}
	rows, err := s.conn().QueryContext(ctx, `SELECT ids, characters FROM injection WHERE session = ?1
		AND id > coalesce((SELECT max(id) FROM injection WHERE session = ?1 AND event = '`+resetEvent+`'), 0)`, session)
	if err != nil {
		return in, s.wrap("read the ledger", err)
	}
	defer rows.Close()
	for rows.Next() {
		var ids string
		var n int
		if err := rows.Scan(&ids, &n); err != nil {
			return in, s.wrap("read the ledger", err)
		}
		in.Characters += n
		var list []string
		if json.Unmarshal([]byte(ids), &list) == nil {
			for _, id := range list {
				in.IDs[id] = true
			}
		}
	}
	return in, s.wrap("read the ledger", rows.Err())
}

// resetEvent marks in the ledger that the context of a session was emptied.
const resetEvent = "reset"

// ResetInjections notes that the context of a session was emptied. It reports whether that was noted already
// less than a time ago: then it is the same event, told again.
func (s *Sidecar) ResetInjections(ctx context.Context, session string, ago time.Duration) (again bool, err error) {
	err = s.change(ctx, "write the ledger", func(tx *sql.Tx) error {
		var at string
		row := tx.QueryRowContext(ctx, "SELECT coalesce(max(at), '') FROM injection WHERE session = ? AND event = '"+resetEvent+"'", session)
		if err := row.Scan(&at); err != nil {
			return err
		}
		now := time.Now()
		if again = at > data.FormatTimeMillis(now.Add(-ago)) && at <= data.FormatTimeMillis(now); again {
			return nil
		}
		return noteInjection(ctx, tx, "", resetEvent, session, nil, 0)
	})
	return again, err
}

// NoteInjection notes what is put into the context of a session.
func (s *Sidecar) NoteInjection(ctx context.Context, client, event, session string, ids []string, characters int) error {
	return s.change(ctx, "write the ledger", func(tx *sql.Tx) error {
		return noteInjection(ctx, tx, client, event, session, ids, characters)
	})
}

func noteInjection(ctx context.Context, tx *sql.Tx, client, event, session string, ids []string, characters int) error {
	list, err := json.Marshal(append([]string{}, ids...))
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "INSERT INTO injection (at, client, event, session, ids, characters) VALUES (?, ?, ?, ?, ?, ?)",
		data.FormatTimeMillis(time.Now()), client, event, session, string(list), characters)
	return err
}

// Injection is a row of the ledger.
type Injection struct {
	At         string   `json:"at"`
	Client     string   `json:"client"`
	Event      string   `json:"event"`
	Session    string   `json:"session_id"`
	IDs        []string `json:"ids"`
	Characters int      `json:"characters"`
}

// Ledger returns what was put into contexts, newest first, at most so many rows.
func (s *Sidecar) Ledger(ctx context.Context, limit int) ([]Injection, error) {
	rows, err := s.conn().QueryContext(ctx, "SELECT at, client, event, session, ids, characters FROM injection WHERE event <> '"+resetEvent+"' ORDER BY id DESC LIMIT ?", limit)
	if err != nil {
		return nil, s.wrap("read the ledger", err)
	}
	defer rows.Close()
	out := []Injection{}
	for rows.Next() {
		var i Injection
		var ids string
		if err := rows.Scan(&i.At, &i.Client, &i.Event, &i.Session, &ids, &i.Characters); err != nil {
			return nil, s.wrap("read the ledger", err)
		}
		if json.Unmarshal([]byte(ids), &i.IDs) != nil || i.IDs == nil {
			i.IDs = []string{}
		}
		out = append(out, i)
	}
	return out, s.wrap("read the ledger", rows.Err())
}
