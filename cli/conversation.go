package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/parallel"
	"lcm-tui/ui"
)

// OpenConversation opens the database and reads the conversation that the first
// argument names.
func (c *Invocation) OpenConversation(ctx context.Context) (*data.DB, lcm.Conversation, error) {
	id, err := c.Conversation(ctx, "CONV", c.Args[0])
	if err != nil {
		return nil, lcm.Conversation{}, err
	}
	conv, err := lcm.ReadConversation(ctx, c.DB, id)
	return c.DB, conv, UnknownConversation(ctx, c.DB, err)
}

// Conversation opens the database and finds the id of the conversation that an
// argument names there.
func (c *Invocation) Conversation(ctx context.Context, kind, arg string) (int64, error) {
	if err := CheckName(kind, arg); err != nil {
		return 0, err
	}
	db, err := c.Open(ctx)
	if err != nil {
		return 0, err
	}
	return FindConversation(ctx, db, kind, arg)
}

// CheckName refuses what can be neither an id nor a key, before the database is opened.
func CheckName(kind, arg string) error {
	if strings.TrimSpace(arg) == "" || strings.HasPrefix(arg, "-") {
		return UsageErrorf("expected %s (not %q)", ArgumentKinds[kind], arg)
	}
	return nil
}

// FindConversation returns the id of the conversation that an argument names in a database: by its id, its
// session key, or a prefix that no other key has. A number is never the beginning of a
// session's id; one that nothing has stays an id: damaged files refer to conversations that they lack.
func FindConversation(ctx context.Context, db *data.DB, kind, arg string) (int64, error) {
	id, err := strconv.ParseInt(arg, 10, 64)
	isID := err == nil && id > 0 && !strings.HasPrefix(arg, "+")
	if isID {
		if _, err := lcm.ReadConversation(ctx, db, id); !errors.Is(err, data.ErrNotFound) {
			return id, err
		}
	}
	found, err := lcm.ConversationsNamed(ctx, db, arg)
	if isID { // A wrong number is too easily the beginning of the id of some session.
		found = slices.DeleteFunc(found, func(c lcm.Conversation) bool { return !strings.HasPrefix(c.SessionKey, arg) && c.SessionID != arg })
	}
	switch {
	case err != nil:
		return 0, err
	case len(found) == 0 && isID:
		return id, nil
	case len(found) == 0:
		return 0, suggest(ctx, db, arg, UsageErrorf("expected %s (no key in %s begins with %q)", ArgumentKinds[kind], db.Path(), arg))
	}
	return pick(arg, found)
}

// pick returns the conversation that a name means of those that it fits: the only one, or
// the only active one of a key that archived conversations have as well.
func pick(name string, found []lcm.Conversation) (int64, error) {
	if len(found) == 1 {
		return found[0].ID, nil
	}
	same := func(a lcm.Conversation) bool {
		return a.SessionKey == found[0].SessionKey && (a.SessionKey != "" || a.SessionID == found[0].SessionID)
	}
	others := func(a lcm.Conversation) bool { return !same(a) }
	active := slices.DeleteFunc(slices.Clone(found), func(a lcm.Conversation) bool { return !a.Active })
	if !slices.ContainsFunc(found, others) && len(active) == 1 {
		return active[0].ID, nil
	}
	return 0, &UsageError{
		Message: fmt.Sprintf("%q %s; give the id of one", name, ambiguity(name, found)),
		Next:    candidates(found),
	}
}

// ambiguity says what of several conversations a name is.
func ambiguity(name string, found []lcm.Conversation) string {
	n := ui.Num(int64(len(found)))
	switch first := found[0]; {
	case first.SessionKey == name:
		return "is the session key of " + n + " conversations"
	case first.SessionID == name:
		return "is the session id of " + n + " conversations"
	case strings.HasPrefix(first.SessionKey, name):
		return "begins the session keys of " + n + " conversations"
	}
	return "begins the session ids of " + n + " conversations"
}

// maxCandidates is how many conversations an error lists.
const maxCandidates = 12

// candidates lists conversations, one a line.
func candidates(all []lcm.Conversation) string {
	var b strings.Builder
	for i, conv := range all {
		if i == maxCandidates {
			fmt.Fprintf(&b, "… and %s more: lcm-tui conversations", ui.Num(int64(len(all)-i)))
			break
		}
		line := strings.TrimSpace(conv.SessionKey + "  " + conv.Title)
		if conv.SessionKey == "" {
			line = strings.TrimSpace(conv.SessionID + "  " + conv.Title)
		}
		if !conv.Active {
			line += "  (archived)"
		}
		fmt.Fprintf(&b, "%d  %s\n", conv.ID, ui.LineN(line, 100))
	}
	return b.String()
}

// suggest adds to an error about a conversation that isn't there those that are most
// like it.
func suggest(ctx context.Context, db *data.DB, word string, err error) error {
	all, e := lcm.Conversations(ctx, db)
	if e != nil || len(all) == 0 {
		return err
	}
	if likely := likelyConversations(word, all); len(likely) < len(all) {
		return hint.Wrap(err, "did you mean "+strings.TrimSpace(candidates(likely))+"?")
	}
	return hint.Wrap(err, "there are these:\n"+candidates(all))
}

// UnknownConversation adds suggestions to an error that says that there is no such conversation.
func UnknownConversation(ctx context.Context, db *data.DB, err error) error {
	var missing *data.NotFoundError
	if !errors.As(err, &missing) || missing.What != "conversation" {
		return err
	}
	return suggest(ctx, db, missing.ID, err)
}

// likelyConversations returns the conversation whose key is most like a word, or all of them.
func likelyConversations(word string, all []lcm.Conversation) []lcm.Conversation {
	var keys []string
	for _, conv := range all {
		keys = append(keys, conv.SessionKey)
	}
	key, ok := suggestion(word, keys)
	if !ok {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(a lcm.Conversation) bool { return a.SessionKey != key })
}

// CountedConversations reads the conversations while it counts what is in them.
func CountedConversations(ctx context.Context, db *data.DB) (all []lcm.Conversation, stats map[int64]*lcm.Stats, err error) {
	var failed error
	var wg parallel.Group
	wg.Go(func() { stats, failed = lcm.AllStats(ctx, db) })
	all, err = lcm.Conversations(ctx, db)
	wg.Wait()
	return all, stats, errors.Join(err, failed)
}

// UnknownAgent returns the error of the name of an agent that has no conversation.
func UnknownAgent(all []lcm.Conversation, name string) error {
	var names []string
	for _, conv := range all {
		if conv.Agent() == name {
			return nil
		}
		if conv.Agent() != "" {
			names = append(names, conv.Agent())
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	if name == "" || len(names) == 0 {
		return nil
	}
	return fmt.Errorf("no conversation is of the agent %q; there are %s%s", name, strings.Join(names, ", "), DidYouMean(name, "", names))
}
