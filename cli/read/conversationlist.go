package read

import (
	"slices"
	"strconv"
	"time"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/pending"
	"lcm-tui/internal/plural"
	"lcm-tui/ops/sessionkey"
	"lcm-tui/ui"
)

// conversationList is the result of conversations.
type conversationList struct {
	Conversations []conversationRow `json:"conversations"`
	cli.NextPage
	cli.WarningList
	total int
	now   time.Time
}

// conversationRow is a conversation with its numbers.
type conversationRow struct {
	ID           int64     `json:"conversation_id"`
	SessionID    string    `json:"session_id"`
	SessionKey   *string   `json:"session_key"`
	Title        *string   `json:"title"`
	Agent        *string   `json:"agent"`
	Active       bool      `json:"active"`
	ArchivedAt   data.Time `json:"archived_at"`
	ArchiveCause *string   `json:"archive_cause"`
	FamilySize   int       `json:"family_size"` // Conversations of its session, itself included.
	conversationCounts
	CreatedAt     data.Time `json:"created_at"`
	LastMessageAt data.Time `json:"last_message_at"`
	// Pending is the state of the summaries that the host prepares in the background.
	Pending *string `json:"pending"`
	// Uncounted are the tables whose rows can't be counted: numbers of them aren't known.
	Uncounted []string `json:"uncounted,omitempty"`

	name string
}

// conversationCounts is how much a conversation has.
type conversationCounts struct {
	Messages      int64         `json:"messages"`
	Summaries     int64         `json:"summaries"`
	MaxDepth      int           `json:"max_depth"`
	ByDepth       map[int]int64 `json:"summaries_by_depth"`
	ContextItems  int64         `json:"context_items"`
	ContextTokens int64         `json:"context_tokens"`
	LargeFiles    int64         `json:"large_files"`
}

// count returns a number of rows of a table, or a question mark where it isn't known.
func (r conversationRow) count(table string, n int64) string {
	if slices.Contains(r.Uncounted, table) {
		return "?"
	}
	return ui.Num(n)
}

// activity returns when something was last said, or when it began.
func (r conversationRow) activity() time.Time {
	if r.LastMessageAt.Valid() {
		return r.LastMessageAt.Time
	}
	return r.CreatedAt.Time
}

func newConversationRow(c lcm.Conversation, family int, s *lcm.Stats, state pending.State, uncounted []string) conversationRow {
	if s == nil {
		s = &lcm.Stats{LastMessageAt: data.Time{Null: true}, Summaries: map[int]int64{}}
	}
	return conversationRow{
		ID: c.ID, SessionID: c.SessionID, SessionKey: cli.OrNull(c.SessionKey), Title: cli.OrNull(c.Title), Agent: cli.OrNull(c.Agent()),
		Active: c.Active, ArchivedAt: c.ArchivedAt, ArchiveCause: cli.OrNull(c.ArchiveCause), FamilySize: family,
		conversationCounts: conversationCounts{
			Messages: s.Messages, Summaries: s.SummaryCount(), MaxDepth: s.MaxDepth(), ByDepth: s.Summaries,
			ContextItems: s.ContextItems, ContextTokens: s.ContextTokens, LargeFiles: s.LargeFiles,
		},
		CreatedAt: c.CreatedAt, LastMessageAt: s.LastMessageAt, Pending: cli.OrNull(string(state)), Uncounted: uncounted, name: c.Name(),
	}
}

func (l *conversationList) Print(p *cli.Printer) {
	if len(l.Conversations) == 0 {
		l.nothing(p)
		return
	}
	rows := make([][]string, len(l.Conversations))
	for i, r := range l.Conversations {
		rows[i] = []string{
			strconv.FormatInt(r.ID, 10), r.state(), r.count("messages", r.Messages), r.count("summaries", r.Summaries), r.count("summaries", int64(r.MaxDepth)),
			r.count("context_items", r.ContextItems), r.count("context_items", r.ContextTokens), strconv.Itoa(r.FamilySize), r.pendingState(), ui.Ago(r.activity(), l.now), ui.LineN(r.name, 60),
		}
	}
	p.Table(l.columns(p, rows))
	if len(rows) < l.total {
		p.Muted(ui.Num(int64(len(rows))) + " of " + plural.Count(l.total, "conversation", "conversations"))
	}
	l.More(p)
}

// pendingColumn is the place of the state of pending work, which is left out where nothing is
// pending.
const pendingColumn = 8

// columns returns those of the list, with the rows.
func (l *conversationList) columns(p *cli.Printer, rows [][]string) ([]cli.Column, [][]string) {
	columns := []cli.Column{
		{Title: "id", Right: true},
		{Title: "state", Style: p.Styles.Muted},
		{Title: "messages", Right: true},
		{Title: "summaries", Right: true, Spare: true},
		{Title: "depth", Right: true, Spare: true},
		{Title: "items", Right: true, Spare: true},
		{Title: "tokens", Right: true},
		{Title: "family", Right: true, Spare: true},
		{Title: "pending"},
		{Title: "last", Right: true, Style: p.Styles.Muted},
		{Title: "name", Grows: true},
	}
	if slices.ContainsFunc(rows, func(r []string) bool { return r[pendingColumn] != "" }) {
		return columns, rows
	}
	for i, r := range rows {
		rows[i] = cli.WithoutIndex(r, pendingColumn)
	}
	return cli.WithoutIndex(columns, pendingColumn), rows
}

// state says whether a conversation is active, and why it was archived.
func (r conversationRow) state() string {
	switch {
	case r.Active:
		return "active"
	case r.ArchiveCause == nil:
		return "archived"
	}
	return "archived: " + ui.LineN(*r.ArchiveCause, 20)
}

// pendingState returns the state of pending work, or empty.
func (r conversationRow) pendingState() string {
	if r.Pending == nil {
		return ""
	}
	return *r.Pending
}

// conversationResult is the result of conversations show.
type conversationResult struct {
	Conversation conversationRow `json:"conversation"`
	cli.WarningList
}

func (s *conversationResult) Print(p *cli.Printer) {
	r := s.Conversation
	or := func(s *string) string {
		if s == nil {
			return "–"
		}
		return ui.Line(*s)
	}
	state := "active"
	if !r.Active {
		state = "archived " + cli.When(r.ArchivedAt)
	}
	if r.ArchiveCause != nil {
		state += ": " + ui.Line(sessionkey.CauseText(*r.ArchiveCause))
		if sessionkey.CauseText(*r.ArchiveCause) != *r.ArchiveCause {
			state += " (" + ui.Line(*r.ArchiveCause) + ")"
		}
	}
	p.Fact("conversation", strconv.FormatInt(r.ID, 10))
	p.Fact("title", or(r.Title))
	p.Fact("session key", or(r.SessionKey))
	p.Fact("session id", ui.Line(r.SessionID))
	p.Fact("state", state)
	p.Fact("family", plural.Count(r.FamilySize, "conversation", "conversations")+" of this session")
	p.Fact("messages", r.count("messages", r.Messages))
	p.Fact("summaries", r.summaries())
	p.Fact("context", r.context())
	p.Fact("large files", r.count("large_files", r.LargeFiles))
	if r.Pending != nil {
		p.Fact("pending work", *r.Pending)
	}
	p.Fact("began", cli.When(r.CreatedAt))
	p.Fact("last message", cli.When(r.LastMessageAt))
}

// summaries says how many summaries there are, and how deep they go.
func (r conversationRow) summaries() string {
	if slices.Contains(r.Uncounted, "summaries") {
		return "?"
	}
	return ui.Num(r.Summaries) + ", to depth " + ui.Num(int64(r.MaxDepth))
}

// context says how many items the context has, and how many tokens they take.
func (r conversationRow) context() string {
	if slices.Contains(r.Uncounted, "context_items") {
		return "?"
	}
	return plural.Count(r.ContextItems, "item", "items") + ", " + ui.Tokens(r.ContextTokens)
}

// nothing says why the list is empty.
func (l *conversationList) nothing(p *cli.Printer) {
	if l.total == 0 {
		p.None("conversations", " in this database")
		return
	}
	p.Line("no conversations match, of the " + ui.Num(int64(l.total)) + " in this database")
}
