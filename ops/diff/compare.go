package diff

import (
	"context"
	"slices"

	"lcm-tui/data"
	"lcm-tui/ops/diff/filepair"
)

// Request says what is compared.
type Request struct {
	// Before and After choose one conversation by its id in one of the files; both 0 is all.
	Before, After int64
	// Lineage is how rows are matched, where that is known; empty is found out.
	Lineage filepair.Lineage
	Search  bool // The texts in the search tables too.
	Own     bool // The tables of this program too.
	Rebuilt bool // The files hold only what records changed, as those of BeforeRecord do.
}

// isOne reports whether one conversation is asked for.
func (r Request) isOne() bool { return r.Before != 0 || r.After != 0 }

// chooses reports whether a conversation is asked for.
func (r Request) chooses(k filepair.ConversationKey) bool {
	return !r.isOne() || k.Before != 0 && k.Before == r.Before || k.After != 0 && k.After == r.After
}

// Comparison is two files being compared. Each is read in one transaction, until Close.
type Comparison struct {
	request Request
	before  *data.DB
	after   *data.DB
	pair    *filepair.Pair // Nil where both are one file.
	tables  []filepair.Table
	byID    [2]map[int64]*Conversation
}

// Open begins to compare two databases, which stay open until after Close.
func Open(ctx context.Context, before, after *data.DB, r Request) (*Comparison, error) {
	c := &Comparison{request: r, before: before, after: after}
	if before.IsSameFile(after) {
		return c, nil
	}
	var err error
	if c.pair, err = filepair.Open(ctx, before, after, r.Lineage); err != nil {
		return nil, err
	}
	c.tables = c.pair.Tables(r.Search, r.Own)
	return c, nil
}

// IsOne reports whether one conversation was asked for.
func (c *Comparison) IsOne() bool { return c.request.isOne() }

// Close ends the reading.
func (c *Comparison) Close() error {
	if c.pair == nil {
		return nil
	}
	return c.pair.Close()
}

// Compare says how much differs between two databases, from the first to the second: added is what
// only the second has. It reads each in one transaction.
func Compare(ctx context.Context, before, after *data.DB, r Request, report data.Report) (*Report, error) {
	c, err := Open(ctx, before, after, r)
	if err != nil {
		return nil, err
	}
	out, err := c.Report(ctx, report)
	if e := c.Close(); err == nil {
		err = e
	}
	return out, err
}

// Report counts what differs. What is unreadable because a file is damaged is in the report, not
// an error.
func (c *Comparison) Report(ctx context.Context, report data.Report) (*Report, error) {
	out := &Report{
		Equal: true, Lineage: filepair.ByID, Conversations: []*Conversation{}, Rebuilt: c.request.Rebuilt,
		Before: File{Path: c.before.Path(), Kind: c.before.Kind().String()},
		After:  File{Path: c.after.Path(), Kind: c.after.Kind().String()},
	}
	if c.pair == nil {
		out.Notes = []string{"both paths name the same file"}
		return out, nil
	}
	out.Lineage = c.pair.Lineage
	if only := c.pair.Uncompared(); len(only[0])+len(only[1]) > 0 {
		out.Before.Only, out.After.Only = only[0], only[1]
	}
	of := c.addConversations(out)
	for i, t := range c.tables {
		if report != nil {
			report(i, len(c.tables), "comparing "+t.Name)
		}
		if err := c.count(ctx, t, of, out); err != nil {
			return nil, err
		}
	}
	if err := c.countContexts(ctx); err != nil {
		return nil, err
	}
	c.collect(out)
	return out, nil
}

// addConversations makes an entry for each conversation that is compared. It returns the key of the
// only one, if one was asked for.
func (c *Comparison) addConversations(out *Report) (of filepair.ConversationKey) {
	c.byID = [2]map[int64]*Conversation{{}, {}}
	for _, pair := range c.pair.Conversations() {
		k := pair.Key()
		if !c.request.chooses(k) {
			continue
		}
		if c.request.isOne() {
			of = k
		}
		entry := newConversation(pair)
		if entry.Status == "" {
			out.Common++
		}
		if k.Before != 0 {
			c.byID[filepair.Before][k.Before] = entry
		}
		if k.After != 0 {
			c.byID[filepair.After][k.After] = entry
		}
	}
	return of
}

// newConversation returns an entry in which nothing is counted yet.
func newConversation(pair filepair.ConversationPair) *Conversation {
	shown := pair.After
	c := &Conversation{pair: pair}
	if shown == nil {
		shown, c.Status = pair.Before, Removed
	} else {
		c.AfterID = &pair.After.ID
	}
	if pair.Before == nil {
		c.Status = Added
	} else {
		c.BeforeID = &pair.Before.ID
	}
	c.ID, c.Key, c.Session, c.Title = shown.ID, shown.Key, shown.SessionID, shown.Title
	return c
}

// count adds how many rows of a table differ.
func (c *Comparison) count(ctx context.Context, t filepair.Table, of filepair.ConversationKey, out *Report) error {
	if t.Name == "conversations" {
		return c.compareRows(ctx, t, of)
	}
	file := Table{Name: t.Name}
	err := c.pair.Count(ctx, t, of, func(s filepair.Side, id int64, n filepair.Counts) {
		entry := c.byID[s][id]
		if entry == nil {
			file.Add(n)
			return
		}
		entry.counts(t.Name).Add(n)
		if entry.counts(t.Name) == &entry.State {
			entry.addTable(t.Name, n)
		}
	})
	if one := of != (filepair.ConversationKey{}); !file.IsZero() && !one {
		out.Tables = append(out.Tables, file)
	}
	return err
}

// compareRows finds out what differs in the rows of the conversations themselves.
func (c *Comparison) compareRows(ctx context.Context, t filepair.Table, of filepair.ConversationKey) error {
	return c.pair.EachRow(ctx, t, of, filepair.Limits{Bytes: shortBytes}, func(r *filepair.Row) error {
		if r.Change != filepair.Changed {
			return nil
		}
		if entry := c.byID[filepair.After][data.CellInteger(r.After["conversation_id"])]; entry != nil {
			entry.Columns, entry.Status = r.Columns, statusOf(r)
		}
		return nil
	})
}

// shortBytes is how much is read of a text that is only named.
const shortBytes = 200

// statusOf returns what became of a conversation whose row changed.
func statusOf(r *filepair.Row) Status {
	has := func(column string) bool { return slices.Contains(r.Columns, column) }
	switch {
	case has("active") && data.CellInteger(r.After["active"]) == 0:
		return Archived
	case has("active"):
		return Unarchived
	case has("session_key"):
		return KeyChanged
	case has("session_id"):
		return SessionChanged
	}
	return Changed
}

// counts returns where the rows of a table are counted.
func (c *Conversation) counts(table string) *filepair.Counts {
	switch table {
	case "messages":
		return &c.Messages
	case "message_parts":
		return &c.Parts
	case "summaries":
		return &c.Summaries
	case "summary_messages", "summary_parents":
		return &c.Links
	case "context_items":
		return &c.items
	case "large_files":
		return &c.Files
	}
	return &c.State
}

func (c *Conversation) addTable(name string, n filepair.Counts) {
	for i := range c.Tables {
		if c.Tables[i].Name == name {
			c.Tables[i].Add(n)
			return
		}
	}
	c.Tables = append(c.Tables, Table{name, n})
}

// collect puts the conversations that differ into the report, the newest first.
func (c *Comparison) collect(out *Report) {
	for s, entries := range c.byID {
		for _, entry := range entries {
			if entry.Status == "" && !entry.isEqual() {
				entry.Status = Changed
			}
			if entry.Status != "" && (s == int(filepair.After) || entry.AfterID == nil) {
				out.Conversations = append(out.Conversations, entry)
			}
		}
	}
	slices.SortFunc(out.Conversations, func(x, y *Conversation) int {
		if x.ID != y.ID {
			return int(max(-1, min(1, y.ID-x.ID)))
		}
		return int(max(-1, min(1, isNil(x.AfterID)-isNil(y.AfterID))))
	})
	out.Unreadable = slices.DeleteFunc(slices.Clone(c.pair.Unreadable), func(u filepair.Unreadable) bool {
		k := filepair.ConversationKey{Before: u.Before, After: u.After}
		return k != (filepair.ConversationKey{}) && !c.request.chooses(k)
	})
	out.Equal = len(out.Conversations) == 0 && len(out.Tables) == 0 && len(out.Unreadable) == 0
}

// isEqual reports whether nothing of the conversation's rows differs.
func (c *Conversation) isEqual() bool {
	for _, n := range []filepair.Counts{c.Messages, c.Parts, c.Summaries, c.Links, c.items, c.Files, c.State} {
		if !n.IsZero() {
			return false
		}
	}
	return true
}

func isNil(id *int64) int64 {
	if id == nil {
		return 1
	}
	return 0
}
