package lcm

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"unicode"

	"lcm-tui/data"
)

// Conversation is a row of conversations. What the file's level lacks is zero,
// except Active, which is true for files that know no archive.
type Conversation struct {
	ID           int64     `json:"conversation_id"`
	SessionID    string    `json:"session_id"`
	SessionKey   string    `json:"session_key"`
	Title        string    `json:"title"`
	Active       bool      `json:"active"`
	ArchivedAt   data.Time `json:"archived_at"`
	ArchiveCause string    `json:"archive_cause"`
	CreatedAt    data.Time `json:"created_at"`
	UpdatedAt    data.Time `json:"updated_at"`
}

// Name returns what people call the conversation: its title, session key or id.
func (c Conversation) Name() string {
	switch {
	case c.Title != "":
		return c.Title
	case c.SessionKey != "":
		return c.SessionKey
	}
	return c.SessionID
}

// PromptsSuffix ends the session keys of conversations that hold only what a user typed, since the rest of the session
// is lost.
const PromptsSuffix = ":prompts"

// OnlyPrompts reports whether the conversation holds only what a user typed. It is never compacted, promoted or put into
// a context: one side of a conversation says too little.
func (c Conversation) OnlyPrompts() bool { return strings.HasSuffix(c.SessionKey, PromptsSuffix) }

// labelRunes is how much of a name stands in a text.
const labelRunes = 48

// Label returns what texts call the conversation: its title or key, cut where it is long, and its id.
func (c Conversation) Label() string {
	name := []rune(strings.Join(strings.Fields(strings.Map(visible, cmp.Or(c.Title, c.SessionKey))), " "))
	if len(name) == 0 {
		return fmt.Sprintf("conversation #%d", c.ID)
	}
	if len(name) > labelRunes {
		name = append(name[:labelRunes-1:labelRunes-1], '…')
	}
	return fmt.Sprintf("%s #%d", string(name), c.ID)
}

// visible leaves control characters and hidden ones out of a name.
func visible(r rune) rune {
	switch {
	case unicode.IsControl(r):
		return ' '
	case unicode.Is(unicode.Cf, r) && r != '\u200d': // Which joins emoji.
		return -1
	}
	return r
}

// Label returns what texts call a conversation, also one that is gone or can't be read; 0 is the file itself.
func Label(ctx context.Context, db data.Querier, id int64) string {
	if id == 0 {
		return "the file"
	}
	c, err := ReadConversation(ctx, db, id)
	if err != nil {
		c = Conversation{ID: id}
	}
	return c.Label()
}

// Labels returns what texts call several conversations, of which most are counted.
func Labels(ctx context.Context, db data.Querier, ids []int64) string {
	const named = 3
	var names []string
	for _, id := range ids[:min(named, len(ids))] {
		names = append(names, Label(ctx, db, id))
	}
	if more := len(ids) - named; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}

// Agent returns the agent in a session key of the shape agent:<agent>:…, or empty.
func (c Conversation) Agent() string {
	rest, ok := strings.CutPrefix(c.SessionKey, "agent:")
	if !ok {
		return ""
	}
	agent, _, _ := strings.Cut(rest, ":")
	return agent
}

// Lane returns what kind of session a key of the shape agent:<agent>:<lane>:… is of: main, cron,
// subagent, or the channel that people write on. It is empty for keys of another shape.
func (c Conversation) Lane() string {
	words := strings.SplitN(c.SessionKey, ":", 4)
	if len(words) < 3 || words[0] != "agent" {
		return ""
	}
	return words[2]
}

// Conversations returns all conversations, with or without messages, newest first.
func Conversations(ctx context.Context, db data.Querier) ([]Conversation, error) {
	return conversations(ctx, db, "ORDER BY c.conversation_id DESC")
}

// ConversationsOf returns the conversations that have a session id or a session key, newest first. An empty key
// is none.
func ConversationsOf(ctx context.Context, db data.Querier, session, key string) ([]Conversation, error) {
	if !db.Schema().Has("conversations", "session_key") {
		key = ""
	}
	if key == "" {
		return conversations(ctx, db, "WHERE c.session_id = ? ORDER BY c.conversation_id DESC", session)
	}
	return conversations(ctx, db, "WHERE c.session_id = ? OR c.session_key = ? ORDER BY c.conversation_id DESC", session, key)
}

// ReadConversation returns one conversation, or a NotFoundError.
func ReadConversation(ctx context.Context, db data.Querier, id int64) (Conversation, error) {
	cs, err := conversations(ctx, db, "WHERE c.conversation_id = ?", id)
	if err != nil {
		return Conversation{}, err
	}
	if len(cs) == 0 {
		return Conversation{}, db.NotFound("conversation", id)
	}
	return cs[0], nil
}

func conversations(ctx context.Context, db data.Querier, rest string, args ...any) ([]Conversation, error) {
	s := db.Schema()
	query := "SELECT c.conversation_id, " +
		s.Exprs("conversations", "c", "session_id", "session_key", "title") + ", " +
		s.Expr("conversations", "c", "active", "1") + ", " +
		s.Exprs("conversations", "c", "archived_at", "archive_cause", "created_at", "updated_at") +
		" FROM conversations c " + rest
	return data.Collect(ctx, db, "read conversations", query, args, func(scan data.RowScanner, c *Conversation) error {
		var active data.Integer
		err := scan((*data.Integer)(&c.ID), (*data.Text)(&c.SessionID), (*data.Text)(&c.SessionKey), (*data.Text)(&c.Title),
			&active, &c.ArchivedAt, (*data.Text)(&c.ArchiveCause), &c.CreatedAt, &c.UpdatedAt)
		c.Active = active != 0
		return err
	})
}

// ConversationsNamed returns the conversations that a name stands for, newest first: those
// with this session key, else those whose key begins with it, else the same by session id.
// Case matters, as it does to hosts.
func ConversationsNamed(ctx context.Context, db data.Querier, name string) ([]Conversation, error) {
	for _, column := range []string{"session_key", "session_id"} {
		if name == "" || !db.Schema().Has("conversations", column) {
			continue
		}
		for _, where := range []string{"c." + column + " = ?1", "substr(c." + column + ", 1, length(?1)) = ?1"} {
			found, err := conversations(ctx, db, "WHERE "+where+" ORDER BY c.conversation_id DESC", name)
			if err != nil || len(found) > 0 {
				return found, err
			}
		}
	}
	return nil, nil
}

// RawConversation is a row of conversations with its cells as they are stored.
type RawConversation struct {
	ID         int64
	Session    string
	Title      data.Stored
	Key        data.Stored // From 0.4.0.
	Active     data.Number // From 0.6.0; 1 before.
	ArchivedAt data.Stored // From 0.6.0.
	Cause      string      // From 0.14.0.
	CreatedAt  data.Time
}

// RawConversations returns all conversations in the order of their ids.
func RawConversations(ctx context.Context, db data.Querier) ([]RawConversation, error) {
	s := db.Schema()
	if !s.HasCore("conversations") {
		return nil, nil
	}
	query := "SELECT c.conversation_id, " + s.Stored("conversations", "c", "session_id title session_key") + ", " +
		s.Expr("conversations", "c", "active", "1") + ", " + s.Stored("conversations", "c", "archived_at archive_cause created_at") +
		" FROM conversations c ORDER BY 1"
	return data.Collect(ctx, db, "read conversations", query, nil, func(scan data.RowScanner, c *RawConversation) error {
		return scan((*data.Integer)(&c.ID), (*data.Text)(&c.Session), &c.Title, &c.Key, &c.Active, &c.ArchivedAt, (*data.Word)(&c.Cause), &c.CreatedAt)
	})
}

// HasMessages reports whether a conversation has messages.
func HasMessages(ctx context.Context, db data.Querier, conv int64) (bool, error) {
	if !db.Schema().HasCore("messages") {
		return false, nil
	}
	var n data.Integer
	return data.One(ctx, db, "read messages", "SELECT 1 FROM messages WHERE conversation_id = ? LIMIT 1", []any{conv}, &n)
}
