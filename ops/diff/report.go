package diff

import (
	"lcm-tui/data/lcm"
	"lcm-tui/ops/diff/filepair"
)

// Report is what differs between two files. Conversations that are equal aren't in it.
type Report struct {
	Equal  bool `json:"equal"`
	Before File `json:"before"`
	After  File `json:"after"`
	// Lineage is how rows of one file were found in the other.
	Lineage       filepair.Lineage `json:"lineage"`
	Common        int              `json:"common_conversations"` // How many are in both files.
	Conversations []*Conversation  `json:"conversations"`
	Tables        []Table          `json:"tables,omitempty"` // Those of no conversation.
	// Unreadable are what damage kept from being compared.
	Unreadable []filepair.Unreadable `json:"unreadable,omitempty"`
	Health     *Health               `json:"health,omitempty"` // Nil where it wasn't asked for.

	Notes []string `json:"notes,omitempty"`

	Rebuilt bool `json:"-"` // As the request says.
}

// File is one of the files.
type File struct {
	Path string `json:"path"`
	Kind string `json:"kind"`
	// Only are the tables and columns that the other file lacks, or whose rows have no name: they
	// aren't compared.
	Only []string `json:"only,omitempty"`
}

// Table is how much differs in a table.
type Table struct {
	Name string `json:"table"`
	filepair.Counts
}

// Status is what became of a conversation.
type Status string

// The statuses. The first that holds is given.
const (
	Added          Status = "added"
	Removed        Status = "removed"
	Archived       Status = "archived"
	Unarchived     Status = "unarchived"
	KeyChanged     Status = "key changed"
	SessionChanged Status = "session changed"
	Changed        Status = "changed"
)

// Conversation is how much differs in a conversation.
type Conversation struct {
	ID       int64  `json:"conversation_id"` // In the second file, or in the first where the second lacks it.
	BeforeID *int64 `json:"before_id"`       // In the first file; nil where it lacks it.
	AfterID  *int64 `json:"after_id"`        // In the second file; nil where it lacks it.
	Key      string `json:"session_key"`
	Session  string `json:"session_id"`
	Title    string `json:"title"`
	Status   Status `json:"status"`
	// Columns are those of the row of the conversation that differ.
	Columns   []string        `json:"columns,omitempty"`
	Messages  filepair.Counts `json:"messages"`
	Parts     filepair.Counts `json:"parts"`
	Summaries filepair.Counts `json:"summaries"`
	Links     filepair.Counts `json:"links"`
	Context   ContextCounts   `json:"context"`
	Files     filepair.Counts `json:"files"`
	State     filepair.Counts `json:"state"`
	Tables    []Table         `json:"tables,omitempty"`  // The rows of State by their tables.
	Details   *Details        `json:"details,omitempty"` // Nil where they were not read.

	pair  filepair.ConversationPair
	items filepair.Counts // Rows of context_items, by ordinal.
}

// ContextCounts is how much differs in a context.
type ContextCounts struct {
	Added   int64 `json:"added"`
	Removed int64 `json:"removed"`
	Moved   int64 `json:"moved"`   // Items at another ordinal.
	Changed int64 `json:"changed"` // Items at the same ordinal in which something else differs.
	// TokensBefore and TokensAfter are those of the items.
	TokensBefore int64 `json:"tokens_before"`
	TokensAfter  int64 `json:"tokens_after"`
}

// IsZero reports whether the contexts are equal.
func (c ContextCounts) IsZero() bool { return c.Added+c.Removed+c.Moved+c.Changed == 0 }

// Name returns what a conversation is called.
func (c *Conversation) Name() string {
	return lcm.Conversation{ID: c.ID, SessionKey: c.Key, SessionID: c.Session, Title: c.Title}.Name()
}
