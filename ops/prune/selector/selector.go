package selector

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"lcm-tui/internal/plural"
)

// Conversation is what selectors know of a conversation.
type Conversation struct {
	ID              int64
	Session, Key    string
	Agent, Lane     string
	Cause           string // Why it was archived.
	Active          bool
	Newest          time.Time // Of its newest message, or when it began; zero where neither is known.
	Messages, Bytes int64
	TranscriptGone  bool // The transcript that its host followed isn't there any more.
}

// Selector selects conversations: all of its kinds have to match, and of a kind one value. The
// zero Selector selects nothing.
type Selector struct {
	// OlderThan is the time before which the newest message was written.
	OlderThan time.Time `json:"older_than,omitzero"`
	Agents    []string  `json:"agents,omitempty"`
	Lanes     []string  `json:"lanes,omitempty"`
	Keys      []string  `json:"keys,omitempty"` // Patterns as the host has them: * stops at a colon, ** doesn't.
	NoKey     bool      `json:"no_key,omitempty"`
	Archived  bool      `json:"archived,omitempty"`
	Causes    []string  `json:"causes,omitempty"`
	// TranscriptGone selects those whose transcript isn't there any more.
	TranscriptGone bool    `json:"transcript_gone,omitempty"`
	Empty          bool    `json:"empty,omitempty"`
	MinMessages    int64   `json:"min_messages,omitempty"` // 0 is any number.
	MaxMessages    int64   `json:"max_messages,omitempty"` // 0 is any number.
	LargerThan     int64   `json:"larger_than,omitempty"`  // In bytes; 0 is any size.
	KeepLast       int     `json:"keep_last,omitempty"`    // So many of the newest of each session stay; 0 is none.
	Conversations  []int64 `json:"conversations,omitempty"`
	Except         []int64 `json:"except,omitempty"`
	// Target is the size in bytes that the file is to have: the oldest conversations go first, and
	// no more than are needed. 0 is no target.
	Target int64 `json:"target,omitempty"`
}

// IsEmpty reports whether nothing says what to select. Except, KeepLast and Target only
// limit what others select, but Target and KeepLast also select alone.
func (s Selector) IsEmpty() bool {
	return s.OlderThan.IsZero() && len(s.Agents)+len(s.Lanes)+len(s.Keys)+len(s.Causes)+len(s.Conversations) == 0 &&
		!s.NoKey && !s.Archived && !s.TranscriptGone && !s.Empty &&
		s.MinMessages == 0 && s.MaxMessages == 0 && s.LargerThan == 0 && s.KeepLast == 0 && s.Target == 0
}

// Select returns the conversations that the selector matches, the oldest first, and why each
// does. byMessage leaves out the age of conversations, where that of each message counts.
func (s Selector) Select(all []Conversation, byMessage bool) (chosen []Conversation, why map[int64]string) {
	why = map[int64]string{}
	if s.IsEmpty() {
		return nil, why
	}
	kept := s.keptOfFamilies(all)
	for _, c := range all {
		if kept[c.ID] || slices.Contains(s.Except, c.ID) || !s.matches(c, byMessage) {
			continue
		}
		chosen = append(chosen, c)
		why[c.ID] = s.reason(c)
	}
	sortOldestFirst(chosen)
	return chosen, why
}

// matches reports whether all kinds of the selector match.
func (s Selector) matches(c Conversation, byMessage bool) bool {
	oneOf := func(list []string, v string) bool { return len(list) == 0 || slices.Contains(list, v) }
	switch {
	case !s.OlderThan.IsZero() && !byMessage && (c.Newest.IsZero() || !c.Newest.Before(s.OlderThan)),
		!oneOf(s.Agents, c.Agent), !oneOf(s.Lanes, c.Lane), !oneOf(s.Causes, c.Cause),
		len(s.Keys) > 0 && !slices.ContainsFunc(s.Keys, func(p string) bool { return c.Key != "" && MatchKey(p, c.Key) }),
		s.NoKey && strings.TrimSpace(c.Key) != "",
		(s.Archived || len(s.Causes) > 0) && c.Active,
		s.TranscriptGone && !c.TranscriptGone,
		s.Empty && c.Messages > 0,
		c.Messages < s.MinMessages, s.MaxMessages > 0 && c.Messages > s.MaxMessages,
		s.LargerThan > 0 && c.Bytes <= s.LargerThan,
		len(s.Conversations) > 0 && !slices.Contains(s.Conversations, c.ID):
		return false
	}
	return true
}

// String says in words what is selected.
func (s Selector) String() string {
	return s.Words(func(ids []int64) string { return "conversations " + numbers(ids) })
}

// Words says what is selected, with conversations as name calls them.
func (s Selector) Words(name func(ids []int64) string) string {
	var parts []string
	add := func(some bool, format string, args ...any) {
		if some {
			parts = append(parts, fmt.Sprintf(format, args...))
		}
	}
	add(len(s.Conversations) > 0, "%s", name(s.Conversations))
	add(!s.OlderThan.IsZero(), "older than %s", s.OlderThan.UTC().Format("2006-01-02 15:04"))
	add(len(s.Agents) > 0, "of agent %s", strings.Join(s.Agents, " or "))
	add(len(s.Lanes) > 0, "of lane %s", strings.Join(s.Lanes, " or "))
	add(len(s.Keys) > 0, "with a session key like %s", strings.Join(s.Keys, " or "))
	add(s.NoKey, "without a session key")
	add(s.Archived, "archived")
	add(len(s.Causes) > 0, "archived by %s", strings.Join(s.Causes, " or "))
	add(s.TranscriptGone, "whose transcript is gone")
	add(s.Empty, "without messages")
	add(s.MinMessages > 0, "with at least %s", plural.Count(s.MinMessages, "message", "messages"))
	add(s.MaxMessages > 0, "with at most %s", plural.Count(s.MaxMessages, "message", "messages"))
	add(s.LargerThan > 0, "larger than %s", formatSize(s.LargerThan))
	add(s.KeepLast > 0, "but the newest %d of each session", s.KeepLast)
	add(len(s.Except) > 0, "but not %s", name(s.Except))
	add(s.Target > 0, "the oldest, until the file has %s", formatSize(s.Target))
	return strings.Join(parts, ", ")
}

// reason says why a conversation that matches was selected.
func (s Selector) reason(c Conversation) string {
	var parts []string
	if slices.Contains(s.Conversations, c.ID) {
		parts = append(parts, "named")
	}
	switch {
	case !c.Active && c.Cause != "":
		parts = append(parts, "archived by "+c.Cause)
	case !c.Active:
		parts = append(parts, "archived")
	case c.TranscriptGone && s.TranscriptGone:
		parts = append(parts, "its transcript is gone")
	}
	if c.Messages == 0 {
		parts = append(parts, "no messages")
	} else if !c.Newest.IsZero() {
		parts = append(parts, "newest message "+c.Newest.UTC().Format(time.DateOnly))
	}
	return strings.Join(parts, ", ")
}

// numbers returns a list of ids in words.
func numbers(ids []int64) string {
	out := make([]string, 0, len(ids))
	for _, id := range ids {
		out = append(out, fmt.Sprint(id))
	}
	return strings.Join(out, ", ")
}
