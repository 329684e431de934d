package data

import (
	"context"
	"fmt"
	"path/filepath"
	"time"
)

// HostState says whether a host may be at work on a conversation.
type HostState string

// The states.
const (
	HostLive    HostState = "live"    // It has the file open, and works on the conversation.
	HostQuiet   HostState = "quiet"   // It may have the file open, and isn't working on the conversation.
	HostAway    HostState = "away"    // No other process has the file open.
	HostUnknown HostState = "unknown" // Neither is known.
)

// Presence is what could be found out about the host of a conversation.
type Presence struct {
	State HostState
	Why   string // In words, for people.
}

// Away reports whether nothing that the host began can still reach the conversation:
// only then its items may get other ordinals.
func (p Presence) Away() bool { return p.State == HostAway || p.State == HostQuiet }

func (p Presence) String() string { return string(p.State) + ": " + p.Why }

// Holders are the other processes that have a database file open.
type Holders struct {
	Names []string // Each with its process id.
	Known bool     // There are no others.
}

// holders finds the other processes that have a database open.
func holders(path string) Holders { return holdersUnder(path, filepath.Base(path)) }

const (
	// quietAfter is how long no message may have come: longer than a host waits for a summary.
	quietAfter = 15 * time.Minute
	// compactionNoteValid is how long a host's note that it is compacting is believed; a crash
	// leaves the note.
	compactionNoteValid = 10 * time.Minute
)

// Presence tells whether a host may be at work on a conversation.
func (db *DB) Presence(ctx context.Context, conv int64) (Presence, error) {
	return db.presence(ctx, db.readers, db.schema, conv)
}

func (db *DB) presence(ctx context.Context, q querier, s *Schema, conv int64) (Presence, error) {
	held := db.Holders(db.path)
	if held.Known && len(held.Names) == 0 {
		return Presence{HostAway, "no other process has the file open"}, nil
	}
	open := "it isn't known whether another process has the file open"
	if len(held.Names) > 0 {
		open = held.Names[0] + " has the file open"
		if n := len(held.Names) - 1; n > 0 {
			open = fmt.Sprintf("%s and %d more have the file open", held.Names[0], n)
		}
	}
	busy, err := db.recentActivity(ctx, q, s, conv)
	switch {
	case err != nil:
		return Presence{HostUnknown, open}, db.wrap("look for the host", err)
	case busy == "":
		return Presence{HostQuiet, open + ", but no message came for 15 minutes and no compaction runs"}, nil
	}
	return Presence{HostLive, open + ", and " + busy}, nil
}

// recentActivity says what happened in a conversation a moment ago, or returns "". What can't
// be found out counts as activity.
func (db *DB) recentActivity(ctx context.Context, q querier, s *Schema, conv int64) (what string, err error) {
	const untold = "the time of its newest message isn't known"
	if !s.Has("messages", "created_at", "seq") {
		return untold, nil
	}
	now := db.Now()
	const messages = "SELECT created_at FROM messages WHERE conversation_id = ? ORDER BY seq DESC LIMIT 3"
	err = each(ctx, q, messages, []any{conv}, func(scan RowScanner) error {
		var at Time
		err := scan(&at)
		switch age := now.Sub(at.Time); {
		case at.Valid() && age < quietAfter:
			what = "its newest message is " + age.Round(time.Second).String() + " old"
		case !at.Valid() && what == "":
			what = untold
		}
		return err
	})
	const table = "conversation_compaction_maintenance"
	if err != nil || what != "" || !s.Has(table, "running", "last_started_at") {
		return what, err
	}
	const query = "SELECT running, last_started_at FROM " + table + " WHERE conversation_id = ?"
	err = each(ctx, q, query, []any{conv}, func(scan RowScanner) error {
		var running integer
		var at Time
		err := scan(&running, &at)
		if running == 1 && at.Valid() && now.Sub(at.Time) < compactionNoteValid {
			what = "it notes that it is compacting now"
		}
		return err
	})
	return what, err
}

// HostError says that a change was refused since a host may be at work: it would move
// what the host has chosen by its ordinals, and may delete.
type HostError struct {
	Conversation int64
	Presence     Presence
	Need         string // What the change would have to do.
	Unforced     bool   // Whoever asked has no way to have it written all the same.
}

func (e *HostError) Error() string {
	return fmt.Sprintf("refused beside a host that may be at work on conversation %d (%s): %s", e.Conversation, e.Presence, e.Need)
}

// ScreenHint says how to get on without a flag.
func (e *HostError) ScreenHint() string {
	return "nothing was changed. Stop the host, or wait until the conversation is silent for 15 minutes"
}

// Hint says how to get on, and what is at stake.
func (e *HostError) Hint() string {
	if e.Unforced {
		return e.ScreenHint()
	}
	return e.ScreenHint() + "; --force writes all the same, and a compaction that the host is just making may then lose messages from the context"
}
