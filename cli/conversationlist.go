package cli

import (
	"slices"
	"strconv"
	"time"

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
	nextPage
	warningList
	total int
	now   time.Time
}

// conversationRow is a conversation with its numbers.
type conversationRow struct {
	ID            int64         `json:"conversation_id"`
	SessionID     string        `json:"session_id"`
	SessionKey    *string       `json:"session_key"`
	Title         *string       `json:"title"`
	Agent         *string       `json:"agent"`
	Active        bool          `json:"active"`
	ArchivedAt    data.Time     `json:"archived_at"`
	ArchiveCause  *string       `json:"archive_cause"`
	FamilySize    int           `json:"family_size"` // Conversations of its session, itself included.
	Messages      int64         `json:"messages"`
	Summaries     int64         `json:"summaries"`
	MaxDepth      int           `json:"max_depth"`
	ByDepth       map[int]int64 `json:"summaries_by_depth"`
	ContextItems  int64         `json:"context_items"`
	ContextTokens int64         `json:"context_tokens"`
	LargeFiles    int64         `json:"large_files"`
	CreatedAt     data.Time     `json:"created_at"`
	LastMessageAt data.Time     `json:"last_message_at"`
	// Pending is the state of the summaries that the host prepares in the background.
	Pending *string `json:"pending"`
	// Uncounted are the tables whose rows can't be counted: numbers of them aren't known.
	Uncounted []string `json:"uncounted,omitempty"`

	name string
}

// count is a number of rows of a table, or a question mark where it isn't known.
func (r conversationRow) count(table string, n int64) string {
	if slices.Contains(r.Uncounted, table) {
		return "?"
	}
	return ui.Num(n)
}

// activity is when something was last said, or when it began.
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
		ID: c.ID, SessionID: c.SessionID, SessionKey: orNull(c.SessionKey), Title: orNull(c.Title), Agent: orNull(c.Agent()),
		Active: c.Active, ArchivedAt: c.ArchivedAt, ArchiveCause: orNull(c.ArchiveCause), FamilySize: family,
		Messages: s.Messages, Summaries: s.SummaryCount(), MaxDepth: s.MaxDepth(), ByDepth: s.Summaries,
		ContextItems: s.ContextItems, ContextTokens: s.ContextTokens, LargeFiles: s.LargeFiles,
		CreatedAt: c.CreatedAt, LastMessageAt: s.LastMessageAt, Pending: orNull(string(state)), Uncounted: uncounted, name: c.Name(),
	}
}

func (l *conversationList) Print(p *printer) {
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
	p.table(l.columns(p, rows))
	if len(rows) < l.total {
		p.muted(ui.Num(int64(len(rows))) + " of " + plural.Count(l.total, "conversation", "conversations"))
	}
	l.more(p)
}

// pendingColumn is the place of the state of pending work, which is left out where nothing is
// pending.
const pendingColumn = 8

// columns are those of the list, with the rows.
func (l *conversationList) columns(p *printer, rows [][]string) ([]column, [][]string) {
	columns := []column{
		{title: "id", right: true},
		{title: "state", style: p.styles.Muted},
		{title: "messages", right: true},
		{title: "summaries", right: true, spare: true},
		{title: "depth", right: true, spare: true},
		{title: "items", right: true, spare: true},
		{title: "tokens", right: true},
		{title: "family", right: true, spare: true},
		{title: "pending"},
		{title: "last", right: true, style: p.styles.Muted},
		{title: "name", grows: true},
	}
	if slices.ContainsFunc(rows, func(r []string) bool { return r[pendingColumn] != "" }) {
		return columns, rows
	}
	for i, r := range rows {
		rows[i] = withoutIndex(r, pendingColumn)
	}
	return withoutIndex(columns, pendingColumn), rows
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

// pendingState is the state of pending work, or empty.
func (r conversationRow) pendingState() string {
	if r.Pending == nil {
		return ""
	}
	return *r.Pending
}

// conversationResult is the result of conversations show.
type conversationResult struct {
	Conversation conversationRow `json:"conversation"`
	warningList
}

func (s *conversationResult) Print(p *printer) {
	r := s.Conversation
	or := func(s *string) string {
		if s == nil {
			return "–"
		}
		return ui.Line(*s)
	}
	state := "active"
	if !r.Active {
		state = "archived " + when(r.ArchivedAt)
	}
	if r.ArchiveCause != nil {
		state += ": " + ui.Line(sessionkey.CauseText(*r.ArchiveCause))
		if sessionkey.CauseText(*r.ArchiveCause) != *r.ArchiveCause {
			state += " (" + ui.Line(*r.ArchiveCause) + ")"
		}
	}
	p.fact("conversation", strconv.FormatInt(r.ID, 10))
	p.fact("title", or(r.Title))
	p.fact("session key", or(r.SessionKey))
	p.fact("session id", ui.Line(r.SessionID))
	p.fact("state", state)
	p.fact("family", plural.Count(r.FamilySize, "conversation", "conversations")+" of this session")
	p.fact("messages", r.count("messages", r.Messages))
	p.fact("summaries", r.summaries())
	p.fact("context", r.context())
	p.fact("large files", r.count("large_files", r.LargeFiles))
	if r.Pending != nil {
		p.fact("pending work", *r.Pending)
	}
	p.fact("began", when(r.CreatedAt))
	p.fact("last message", when(r.LastMessageAt))
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
func (l *conversationList) nothing(p *printer) {
	if l.total == 0 {
		p.none("conversations", " in this database")
		return
	}
	p.line("no conversations match, of the " + ui.Num(int64(l.total)) + " in this database")
}
