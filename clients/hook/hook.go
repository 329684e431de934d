package hook

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"lcm-tui/clients"
	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/redact"
	"lcm-tui/ops"
	"lcm-tui/ops/backfill"
	"lcm-tui/ops/follow"
	"lcm-tui/ops/sessionkey"
	"lcm-tui/work"
)

// Hook answers the events of one client.
type Hook struct {
	Client clients.Client
	DB     *data.DB
	Notes  *work.Sidecar
	// Sessions is the folder below which the client's session files lie; empty where it has none.
	Sessions string
	// Request is what imports share.
	Request backfill.Op
	// Ignores says of a working folder that nothing of it is kept, and nothing is put into its sessions; nil is none.
	Ignores func(folder string) bool
	// Masker takes secrets out of what goes into a context.
	Masker redact.Masker
	// Threshold is the tokens of a context from which on a compaction is requested; 0 requests none.
	Threshold int64
	// DescribesFiles requests descriptions of large text files at the end of a session: a model for that is set.
	DescribesFiles bool
}

// Answer is what an event comes to. With an error it holds what was reached.
type Answer struct {
	Context      string   // Goes into the context of the model.
	Instructions string   // Goes to the model that compacts.
	IDs          []string // Of the summaries in Context.
	Messages     int      // That were imported.
}

// Handle answers an event. Whatever fails, Answer has nothing that isn't noted in the ledger.
func (h *Hook) Handle(ctx context.Context, e Event) (a Answer, err error) {
	if h.Ignores != nil && h.Ignores(e.CWD) {
		return a, nil
	}
	switch left, err := h.whyLeftOut(ctx, e); {
	case err != nil || left.ignored:
		return a, err
	case left.stateless && !e.Shows():
		return a, nil
	}
	switch kinds[e.Name] {
	case start:
		return h.start(ctx, e)
	case prompt:
		return h.hint(ctx, e)
	case turn:
		a.Messages, err = h.keep(ctx, e, e.Transcript, e.Helper)
		return a, errors.Join(err, h.request(ctx, e, work.Threshold))
	case compact:
		a.Messages, err = h.keep(ctx, e, e.Transcript)
		a.Instructions = keepIDs
		why := work.Compacting
		if h.Client == clients.Gemini && e.Trigger != "manual" {
			why = work.Threshold // It calls at each turn, before it looks whether it compacts.
		}
		return a, errors.Join(err, h.request(ctx, e, why))
	case end:
		a.Messages, err = h.keep(ctx, e, e.Transcript)
		if err = errors.Join(err, h.request(ctx, e, work.SessionEnd)); err == nil && e.Reason == "clear" {
			err = h.archive(ctx, e)
		}
		return a, err
	default:
		return a, nil
	}
}

// leftOut says that nothing of a session is kept, and, where it is ignored, that nothing is handed to it.
type leftOut struct{ ignored, stateless bool }

// whyLeftOut looks whether the patterns of session keys leave out the session of an event.
func (h *Hook) whyLeftOut(ctx context.Context, e Event) (out leftOut, err error) {
	filter := h.Request.Filter
	if filter.IsEmpty() {
		return out, nil
	}
	key := backfill.SessionKey(e.CWD, string(h.Client), e.Session)
	if c, ok, err := h.conversation(ctx, e.Session); err != nil {
		return out, err
	} else if ok && c.SessionKey != "" {
		key = c.SessionKey
	}
	return leftOut{filter.WhyIgnored(key, e.Session) != "", filter.Why(key, e.Session) != ""}, nil
}

// keepIDs is what the model reads that compacts a session.
const keepIDs = "Ids such as sum_1a2b3c4d and file_1a2b3c4d in the conversation stay useful as they are: lcm_expand opens what they name. lcm-tui keeps every message of this session word for word.\n"

// ErrOutside says that a transcript doesn't lie in the client's own folder.
var ErrOutside = errors.New("the transcript isn't a session file below the client's own folder")

// keep imports what session files have more than before. An answer in them is whole: the client stopped.
func (h *Hook) keep(ctx context.Context, _ Event, paths ...string) (messages int, err error) {
	if h.Sessions == "" {
		return 0, nil // Nobody knows where.
	}
	var inside []string
	for _, path := range paths {
		if path == "" {
			continue
		}
		whole, err := h.confine(path)
		if errors.Is(err, os.ErrNotExist) {
			continue // The client writes the file later than it names it.
		}
		if err != nil {
			return 0, err
		}
		inside = append(inside, whole)
	}
	if len(inside) == 0 {
		return 0, nil
	}
	f := &follow.Follower{DB: h.DB, Paths: inside, Positions: h.Notes, Request: h.Request, Ignores: h.Ignores}
	f.Request.Ended = true
	f.Tell = func(one follow.Import) {
		messages += one.Survey.Messages
		var filtered *backfill.FilteredError
		if !errors.As(one.Err, &filtered) {
			err = errors.Join(err, one.Err)
		}
		err = errors.Join(err, h.Notes.Counts().AddBadLines(ctx, one.Survey.BadLines))
	}
	_, failed := f.Once(ctx)
	return messages, errors.Join(err, failed, f.Busy())
}

// request asks for the compaction of a session: of one that goes on only where its context is fuller than its
// threshold. Whoever does the work looks at the others.
func (h *Hook) request(ctx context.Context, e Event, why work.Reason) error {
	if h.Threshold <= 0 {
		return nil
	}
	c, ok, err := h.conversation(ctx, e.Session)
	if err != nil || !ok {
		return err
	}
	if why == work.Threshold {
		n, err := lcm.ContextTokens(ctx, h.DB, c.ID)
		if err != nil || n <= h.Threshold {
			return err
		}
	}
	err = h.Notes.Request(ctx, work.Compaction, c.ID, why)
	if why == work.SessionEnd {
		err = errors.Join(err, h.Notes.Request(ctx, work.Promotion, c.ID, why)) // Of the summaries that there are then.
	}
	if why == work.SessionEnd && h.DescribesFiles {
		files, failed := lcm.LargeFiles(ctx, h.DB, c.ID)
		if err = errors.Join(err, failed); len(files) > 0 {
			err = errors.Join(err, h.Notes.Request(ctx, work.Description, c.ID, why))
		}
	}
	return err
}

// confine returns the real path of a session file, which must lie below the client's own folder.
func (h *Hook) confine(path string) (string, error) {
	whole, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	root, err := filepath.EvalSymlinks(h.Sessions)
	if h.Sessions == "" || err != nil {
		return "", errors.Join(ErrOutside, err)
	}
	inside, err := filepath.Rel(root, whole)
	info, failed := os.Lstat(whole)
	if err != nil || failed != nil || !filepath.IsLocal(inside) || !info.Mode().IsRegular() || !backfill.Named(whole) {
		return "", errors.Join(ErrOutside, err, failed)
	}
	return whole, nil
}

// conversation returns the active conversation of a session of the client.
func (h *Hook) conversation(ctx context.Context, session string) (c lcm.Conversation, ok bool, err error) {
	all, err := lcm.Conversations(ctx, h.DB)
	for _, c := range all {
		if session != "" && c.SessionID == session && c.Active && !c.OnlyPrompts() {
			return c, true, nil
		}
	}
	return c, false, err
}

// archive archives the conversation of a session that the user cleared: the client goes on with a new one.
func (h *Hook) archive(ctx context.Context, e Event) error {
	c, ok, err := h.conversation(ctx, e.Session)
	if err != nil || !ok || !strings.Contains(c.SessionKey, ":"+string(h.Client)+":") {
		return err
	}
	o := &sessionkey.Archive{Conversations: []int64{c.ID}, Cause: sessionkey.CauseEnded, Ended: true}
	p, err := o.Plan(ctx, h.DB, func(int, int, string) {})
	if err != nil {
		return err
	}
	_, err = ops.Apply(ctx, h.DB, p)
	return err
}

// LockWait is how long a hook waits for another program's lock: the next event catches up. Where the client doesn't wait
// for the hook, a write waits for asyncWait.
const (
	LockWait  = 500 * time.Millisecond
	asyncWait = 5 * time.Second
)

// WriteWait returns how long an event of a client waits for another program's lock before it writes.
func (e Event) WriteWait(c clients.Client) time.Duration {
	if c == clients.ClaudeCode && (e.Name == "Stop" || e.Name == "SubagentStop") {
		return asyncWait
	}
	return LockWait
}
