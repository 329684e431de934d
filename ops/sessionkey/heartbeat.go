package sessionkey

import (
	"context"
	"fmt"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/jstext"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
)

// Heartbeats deletes the turns of conversations in which a heartbeat found nothing to do, as a host does that has
// pruneHeartbeatOk on. The setting is off by default, so that this is never part of another operation.
type Heartbeats struct {
	// Conversations are those that are looked at; none are all active ones.
	Conversations []int64
	// Pruned says that the host prunes them itself: else it may store them again from a transcript.
	Pruned bool
	Lifecycle
}

var _ ops.Op = (*Heartbeats)(nil)

// Name implements ops.Op.
func (*Heartbeats) Name() string { return "session heartbeats" }

// heartbeatAnswer is the answer of an agent that has nothing to do, and heartbeatFile the name of the file with what it
// should look at, which stands in a heartbeat. Case doesn't count.
const (
	heartbeatAnswer = "heartbeat_ok"
	heartbeatFile   = "heartbeat.md"
)

// Plan implements ops.Op. Messages that a summary was made from stay.
func (o *Heartbeats) Plan(ctx context.Context, db *data.DB, report data.Report) (ops.Plan, error) {
	const what = "delete heartbeats"
	if err := o.checkFile(db, what); err != nil {
		return ops.Plan{}, err
	}
	if db.Kind().Generation == data.GenerationOne {
		return ops.Plan{}, &RefusedError{What: what, Why: "on files of 1.0 the host stores messages again that are deleted from a conversation that stays", Next: "have the host prune them: pruneHeartbeatOk in its configuration"}
	}
	chosen := (&Reap{Conversations: o.Conversations, Lifecycle: o.Lifecycle})
	all, err := chosen.choose(ctx, db)
	if err != nil {
		return ops.Plan{}, err
	}
	p := ops.New(o.Name(), "")
	turns, messages := 0, 0
	for i, c := range all {
		report(i, len(all), "looking for heartbeats")
		if clientOf(c) != "" || o.Filter.Why(c.SessionKey, c.SessionID) != "" {
			continue
		}
		found, ids, err := heartbeatTurns(ctx, db, c.ID)
		if err != nil {
			return ops.Plan{}, err
		}
		n, err := deleteMessages(ctx, db, &p, c.ID, ids)
		if err != nil {
			return ops.Plan{}, err
		}
		if kept := len(ids) - n; kept > 0 {
			p.Note(plural.Count(kept, "message", "messages") + " of heartbeats of " + c.Label() + " " + plural.Noun(kept, "stays", "stay") + ", since summaries were made from them")
		}
		if n > 0 {
			turns, messages = turns+found, messages+n
		}
	}
	if messages == 0 {
		return ops.Plan{}, fmt.Errorf("%s: %w", strings.Join(append([]string{"there are no heartbeats that could go"}, p.Notes...), "; "), ops.ErrNothing)
	}
	p.Title = fmt.Sprintf("delete %s of %s", plural.Count(messages, "message", "messages"), plural.Count(turns, "heartbeat", "heartbeats"))
	p.Backup = db.BackupPath()
	if !o.Pruned {
		p.Warn("the host keeps heartbeats (pruneHeartbeatOk is off): where it is handed its transcript again, it stores these again")
	}
	return p, ctx.Err()
}

// heartbeatTurns returns how many turns of a conversation were nothing but a heartbeat, and their messages: each
// ends with the answer, and begins with the message of the user before it.
func heartbeatTurns(ctx context.Context, db *data.DB, conv int64) (turns int, ids []int64, err error) {
	var turn []int64
	var begun, mentions bool // A message of the user began the turn; it names the file.
	err = lcm.EachMessage(ctx, db, conv, func(m lcm.Message) error {
		text := strings.ToLower(jstext.Trim(m.Content))
		if m.Role == "user" {
			turn, begun, mentions = nil, true, false
		}
		turn = append(turn, m.ID)
		mentions = mentions || strings.Contains(text, heartbeatFile)
		if m.Role == "assistant" && text == heartbeatAnswer {
			if begun && mentions {
				turns++
				ids = append(ids, turn...)
			}
			turn, begun, mentions = nil, false, false
		}
		return nil
	})
	return turns, ids, err
}

// deleteMessages adds what deletes messages, with their parts and places in the context, but for those that a summary
// was made from. It returns how many go.
func deleteMessages(ctx context.Context, db *data.DB, p *ops.Plan, conv int64, ids []int64) (n int, err error) {
	if len(ids) == 0 {
		return 0, nil
	}
	before, err := lcm.Context(ctx, db, conv)
	if err != nil {
		return 0, err
	}
	goes := map[int64]bool{}
	for _, id := range ids {
		key := data.Row{"message_id": id}
		links, err := data.Images(ctx, db, "summary_messages", key)
		if err != nil {
			return n, err
		}
		if len(links) > 0 {
			continue
		}
		for _, table := range []string{"message_parts", "messages"} {
			rows, err := data.Images(ctx, db, table, key)
			if err != nil {
				return n, err
			}
			for _, r := range rows {
				p.Changes = append(p.Changes, change.Delete(db, table, r))
			}
		}
		p.Leaves, goes[id] = append(p.Leaves, id), true
		n++
	}
	var after []lcm.ContextItem
	for _, item := range before {
		if item.IsSummary() || !goes[item.Message] {
			after = append(after, item)
		}
	}
	if len(after) < len(before) {
		p.ChangeContext(db, conv, before, after)
	}
	return n, nil
}
