package sessionkey

import (
	"context"
	"fmt"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/data/transcript"
	"lcm-tui/engine/hostactivity"
	"lcm-tui/engine/settings"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
)

// Lifecycle is what the operations share that a host does when a session begins or ends.
type Lifecycle struct {
	Host Host
	// Filter leaves out the sessions that a host stores nothing of.
	Filter settings.SessionFilter
	// Offline says that no other process that has the file open is a host: a host keeps what it knows
	// of a conversation in memory, and goes on by that.
	Offline bool
	// HistoryTokens is how many tokens of a session's history a host stores at most at first contact; 0 isn't known.
	HistoryTokens int64
}

// ownProgram is how the processes of this program are called.
const ownProgram = "lcm-tui"

// begin checks what holds for each of these operations, and reads the conversation. A conversation that is
// archived, or has an active one beside it, is refused.
func (l *Lifecycle) begin(ctx context.Context, db *data.DB, what string, id int64) (conversation, error) {
	if err := l.checkFile(db, what); err != nil {
		return conversation{}, err
	}
	c, err := read(ctx, db, id)
	if err != nil {
		return c, err
	}
	if !c.Active {
		return c, &RefusedError{What: what, Why: c.name() + " is archived: its session is over", Next: "choose the active conversation of its session; lcm-tui conversations lists them", NextOnScreen: "choose the active conversation of its session"}
	}
	if err := checkPair(ctx, db, what, c); err != nil {
		return c, err
	}
	if why := l.Filter.Why(c.SessionKey, c.SessionID); why != "" {
		return c, fmt.Errorf("a host does nothing for %s: %s: %w", c.name(), why, ops.ErrNothing)
	}
	return c, nil
}

// checkFile refuses files that are only read, that know no archive, and that a host may have open.
func (l *Lifecycle) checkFile(db *data.DB, what string) error {
	if err := db.WriteRefusal(); err != nil {
		return err
	}
	if err := checkColumns(db, what, "active"); err != nil {
		return err
	}
	if l.Offline {
		return nil
	}
	var hosts []string
	for _, name := range db.Holders(db.Path()).Names {
		if !strings.HasPrefix(name, ownProgram) {
			hosts = append(hosts, name)
		}
	}
	if len(hosts) == 0 {
		return nil
	}
	return &RefusedError{
		What: what, Why: strings.Join(hosts, ", ") + " has the file open: a host keeps its conversations in memory, and would go on as before",
		Next: "stop the host first, or have it do this itself; --offline if that is no host", NextOnScreen: "stop the host first, or have it do this itself",
	}
}

// checkPair refuses a conversation beside which another one is active under its key: which of them a host
// finds isn't known.
func checkPair(ctx context.Context, db *data.DB, what string, c conversation) error {
	if c.SessionKey == "" || !db.Schema().Has(conversations, "session_key") {
		return nil
	}
	others, err := holders(ctx, db, "session_key", c.SessionKey, c.ID)
	if err != nil || len(others) == 0 {
		return err
	}
	return &RefusedError{
		What: what, Why: fmt.Sprintf("conversation %d is active under the same key, which is a fault", others[0]),
		Next: fmt.Sprintf("lcm-tui repair %d shows what can be done about that", c.ID), NextOnScreen: "repair that first",
	}
}

// isFresh reports whether nothing has happened in a conversation yet, so that a host keeps it where it would
// begin another one.
func (c conversation) isFresh(ctx context.Context, db *data.DB) (bool, error) {
	messages, items, err := lcm.CountMessagesAndItems(ctx, db, c.ID)
	return messages == 0 && items == 0 && c.row["bootstrapped_at"] == nil, err
}

// clientOf returns the coding agent of a session by the key that this program gave it; empty where it is none's.
// No host goes on with such a session.
func clientOf(c lcm.Conversation) transcript.Kind {
	switch client := transcript.Kind(c.Lane()); client {
	case transcript.ClaudeCode, transcript.Codex, transcript.Gemini:
		return client
	}
	return ""
}

// checkHost looks whether a host goes on with the session of a conversation that ends: at its next contact it
// would store the newest part of the session's history again. A host of 1.0 certainly does, so that is
// refused. successor says that another conversation takes the place of the one that ends, as after the
// host's own reset.
func (l *Lifecycle) checkHost(ctx context.Context, db *data.DB, p *ops.Plan, what string, c conversation, successor bool) error {
	if clientOf(c.Conversation) != "" {
		return nil
	}
	known, err := hostactivity.New(db.Now(), l.Host.Folder).ReadKnown(ctx, db, c.ID)
	if err != nil {
		return err
	}
	one := db.Kind().Generation == data.GenerationOne
	again := "it would store the newest part of the session's history again"
	if one && l.HistoryTokens > 0 {
		again += ", up to " + plural.Count(l.HistoryTokens, "token", "tokens")
	}
	refuse := func(why, next string) error {
		return &RefusedError{What: what, Why: why, Next: next, NextOnScreen: "end the session in the host"}
	}
	switch {
	case known.Name != "" && one:
		return refuse("the host knows the session "+known.Name+": at its next contact "+again, "end the session in the host, as with /reset")
	case known.Err != nil && one:
		return refuse(fmt.Sprintf("whether the host knows the session can't be read: %v", known.Err), "end the session in the host, as with /reset")
	case !known.Found && one && !successor && !l.Offline:
		return refuse("no index of the host's sessions was found, so that it isn't known whether it goes on with this one", "end the session in the host; --offline if there is no host any more")
	case known.Name != "":
		p.Warn("the host knows the session " + known.Name + ": unless the session has another transcript by then, at its next contact " + again)
	case known.Err != nil:
		p.Warn(fmt.Sprintf("whether the host knows the session can't be read: %v; if it does, at its next contact %s", known.Err, again))
	case !known.Found && one:
		p.Warn("no index of the host's sessions was found: if a host goes on with this session, at its next contact " + again)
	}
	return nil
}

// noteLane says what another conversation means to a run of a scheduled job, which is a family of its own to hosts,
// and to a subagent, whose session ends with its task. sameSession says that the next one has the session of the
// one that ends.
func noteLane(p *ops.Plan, key string, sameSession bool) {
	const alone = "a run of a scheduled job is a family of its own: searches in the new conversation don't find what the archived one has; "
	switch {
	case lcm.IsScheduledRun(key) && sameSession:
		p.NoteFlag(alone+"the new one has the session of this run, so that a late answer of it is stored there; --next-session names that of another run",
			alone+"the new one has the session of this run, so that a late answer of it is stored there")
	case lcm.IsScheduledRun(key):
		p.Note(alone + "a late answer of this run finds the archived one by its session")
	case lcm.IsSubagent(key):
		const empty = "this is the session of a subagent: the new conversation stays empty unless the subagent is called again"
		p.NoteFlag(empty+"; session end --reason deleted begins none", empty)
	}
}

// succeed adds the conversation that begins when another one ends: active, with the same key, in which nothing
// was said yet. An empty session is that of the one that ends.
func succeed(ctx context.Context, db *data.DB, p *ops.Plan, key, session string) error {
	next, err := lcm.ReadNextNumbers(ctx, db, 0)
	if err != nil {
		return err
	}
	now := db.FormatNow()
	row := data.Row{
		"conversation_id": next.Conversation, "session_id": session, "session_key": nil, "active": int64(1), "archived_at": nil,
		"archive_cause": nil, "title": nil, "bootstrapped_at": nil, "created_at": now, "updated_at": now,
	}
	if key != "" {
		row["session_key"] = key
	}
	for column := range row {
		if !db.Schema().Has(conversations, column) {
			delete(row, column)
		}
	}
	p.Changes = append(p.Changes, change.Insert(db, conversations, row))
	p.Note(fmt.Sprintf("conversation %d begins, with the same key and without messages", next.Conversation))
	return nil
}
