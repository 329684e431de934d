package metrics

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/change/losses"
	"lcm-tui/data/lcm"
)

// sample is what a database had when it was read last, and what was counted of it until then. It is kept beside the
// database, so that the next process counts on.
type sample struct {
	At       string    `json:"at"`
	Schema   string    `json:"schema"`
	Messages int64     `json:"messages"`
	Active   int64     `json:"active"`
	Archived int64     `json:"archived"`
	Host     hostState `json:"host"`
	// DatabaseBytes and WALBytes are sizes on disk.
	DatabaseBytes int64 `json:"database_bytes"`
	WALBytes      int64 `json:"wal_bytes"`
	// FileBytes are those of large files, as the database notes them.
	FileBytes int64 `json:"file_bytes"`
	// Agents are in the order in which they were seen first. None is ever left out again.
	Agents []agentContext `json:"agents"`
	// Fullest are active conversations, the fullest context first.
	Fullest   []fullContext `json:"fullest,omitempty"`
	Uncovered int64         `json:"uncovered"`
	Stored    kindCounts    `json:"stored"`
	// LastRow is the number of the newest row of summaries.
	LastRow int64 `json:"last_row"`
	count
}

// agentContext is what stands in the active contexts of an agent.
type agentContext struct {
	Name      string `json:"name"` // As a label.
	Tokens    int64  `json:"tokens"`
	Threshold int64  `json:"threshold"`
}

// fullContext is the context of a conversation.
type fullContext struct {
	Conversation int64  `json:"conversation_id"`
	Agent        string `json:"agent"`
	Tokens       int64  `json:"tokens"`
	Threshold    int64  `json:"threshold"`
}

// kindCounts are numbers of summaries by kind.
type kindCounts map[string]int64

// The kinds of summaries.
var kinds = []string{"leaf", "condensed"}

// contents are what is read of a database at one moment.
type contents struct {
	sample
	effects []change.SummaryEffect
	// newer are the summaries made since the sample before, where that had to be looked at.
	newer kindCounts
	// replica is of a database that is a replica itself.
	replica *data.ReplicaLag
}

// reader reads the contents of a database.
type reader struct {
	threshold func(budget int64) int64
	fullest   int
	before    *sample // Nil is the first.
}

// read reads everything in one transaction. Where damage ends the reading early it fails: a part of a table would be
// counted as all of it.
func (r reader) read(ctx context.Context, db *data.DB) (c contents, err error) {
	known := len(db.Warnings())
	c.At, c.Schema = data.FormatTimeMillis(db.Now()), db.Kind().Level
	err = db.QuerySnapshot(ctx, "sample", func(q data.Querier) error {
		for _, step := range []func(context.Context, data.Querier, *contents) error{r.counts, r.contexts, r.summaries, r.uncovered} {
			if err := step(ctx, q, &c); err != nil {
				return err
			}
		}
		return nil
	})
	for _, w := range db.Warnings()[known:] {
		if err == nil && errors.Is(w, data.ErrDamaged) {
			err = w
		}
	}
	return c, err
}

// counts counts what can be counted in an index.
func (reader) counts(ctx context.Context, q data.Querier, c *contents) error {
	s := q.Schema()
	active := s.Expr("conversations", "c", "active", "1")
	for _, n := range []struct {
		table, sql string
		into       []any
	}{
		{"messages", "SELECT count(*) FROM messages", []any{(*data.Integer)(&c.Messages)}},
		{"conversations", "SELECT count(*) FILTER (WHERE " + active + " <> 0), count(*) FILTER (WHERE " + active + " = 0) FROM conversations c", []any{(*data.Integer)(&c.Active), (*data.Integer)(&c.Archived)}},
		{"large_files", "SELECT total(byte_size) FROM large_files", []any{(*data.Integer)(&c.FileBytes)}},
	} {
		if !s.Has(n.table) {
			continue
		}
		if _, err := data.One(ctx, q, "count "+n.table, n.sql, nil, n.into...); err != nil {
			return err
		}
	}
	return nil
}

// contexts sums what stands in the contexts of active conversations.
func (r reader) contexts(ctx context.Context, q data.Querier, c *contents) error {
	if !q.Schema().Has("conversations") || !q.Schema().Has("context_items") {
		return nil
	}
	budgets, err := lcm.Budgets(ctx, q)
	if err != nil {
		return err
	}
	agents := map[string]*agentContext{}
	var order []string
	err = eachContext(ctx, q, func(conv lcm.Conversation, tokens int64) {
		name, threshold := agentLabel(conv), r.threshold(budgets[conv.ID])
		a := agents[name]
		if a == nil {
			a = &agentContext{Name: name}
			agents[name], order = a, append(order, name)
		}
		a.add(tokens, threshold)
		c.Fullest = append(c.Fullest, fullContext{conv.ID, name, tokens, threshold})
	})
	var before []agentContext
	if r.before != nil {
		before = r.before.Agents
	}
	c.Agents = namedAgents(before, order, agents)
	c.Fullest = fullest(c.Fullest, r.fullest)
	return err
}

// summaries counts summaries, and reads what records did to them.
func (r reader) summaries(ctx context.Context, q data.Querier, c *contents) (err error) {
	c.Stored = kindCounts{}
	var known count
	if r.before != nil {
		known = r.before.count
	}
	if c.effects, err = change.SummaryEffects(ctx, q, known.LastRecord, known.Undone); err != nil {
		return err
	}
	if !q.Schema().Has("summaries", "kind") {
		return nil
	}
	if c.Stored, err = countKinds(ctx, q, ""); err != nil || !q.Schema().HasRowIDs("summaries") {
		return err
	}
	_, err = data.One(ctx, q, "count summaries", "SELECT coalesce(max(rowid), 0) FROM summaries", nil, (*data.Integer)(&c.LastRow))
	if err != nil || r.before == nil || !movesSets(c.effects, r.before, c.Stored) {
		return err
	}
	since, _ := data.ParseTime(r.before.At)
	c.newer, err = countKinds(ctx, q, " WHERE rowid > ? AND julianday(created_at) >= julianday(?)", r.before.LastRow, data.FormatTimeMillis(since.Add(-clockStep)))
	return err
}

// clockStep is how exact the times of summaries are.
const clockStep = time.Second

// countKinds counts summaries by kind.
func countKinds(ctx context.Context, q data.Querier, where string, args ...any) (kindCounts, error) {
	out := kindCounts{}
	err := data.Each(ctx, q, "count summaries", "SELECT kind, count(*) FROM summaries"+where+" GROUP BY kind", args, func(scan data.RowScanner) error {
		var kind data.Text
		var n int64
		err := scan(&kind, &n)
		out[string(kind)] = n
		return err
	})
	return out, err
}

// uncovered counts the messages that hosts lost from contexts.
func (reader) uncovered(ctx context.Context, q data.Querier, c *contents) error {
	if !q.Schema().Has("context_items") || !q.Schema().Has("messages") || !q.Schema().Has("summaries") {
		return nil
	}
	found, err := losses.Find(ctx, q, time.Time{})
	for _, l := range found {
		c.Uncovered += int64(len(l.Messages))
	}
	return err
}

// agentLabel returns the agent of a conversation as a label: one that may be a path or the id of a session isn't shown.
func agentLabel(c lcm.Conversation) string {
	name := c.Agent()
	switch {
	case name == "":
		return noAgent
	case name == c.SessionID, strings.ContainsAny(name, `/\`):
		return otherLabel
	}
	return label(name)
}

// The labels in the place of a name.
const (
	noAgent    = "none"  // The session key names no agent.
	otherLabel = "other" // It isn't shown, or one of too many.
)

// mostLabel is how long a label may be, in bytes.
const mostLabel = 80

// label returns a name as a label: short, valid, and on one line.
func label(name string) string {
	name = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(name, "?"))
	if len(name) > mostLabel {
		name = strings.ToValidUTF8(name[:mostLabel], "")
	}
	return name
}
