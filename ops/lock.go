package ops

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"lcm-tui/data"
)

// Locks keep two processes from working on one conversation at a time, where the work takes as long as a model
// does. What a lock doesn't cover is safe all the same: a plan is stale where another wrote before. The lock saves
// what a model was paid for.
type Locks interface {
	// Take takes the lock of a conversation of the database at a path. Its error wraps ErrBusy where another has
	// it. The lock ends with release, or with the process.
	Take(ctx context.Context, database string, conversation int64) (release func(), err error)
	// Check returns an error that wraps ErrBusy where the lock of one of the conversations is taken.
	Check(ctx context.Context, database string, conversations []int64) error
}

// ErrBusy is wrapped by errors of work that another process has begun, and that can be tried again once that is
// done.
var ErrBusy = errors.New("another process is at work")

// BusyError says which process works on a conversation.
type BusyError struct {
	Conversation int64  // 0 is a pass over all of them.
	PID          int    // 0 where it isn't known.
	Program      string // Empty where it isn't known.
}

func (e *BusyError) Error() string {
	who := "another process"
	if e.PID != 0 {
		who = fmt.Sprintf("process %d (%s)", e.PID, e.Program)
	}
	if e.Conversation == 0 {
		return "the work that waits is being done by " + who
	}
	return fmt.Sprintf("conversation %d is being worked on by %s", e.Conversation, who)
}

// Unwrap gives ErrBusy.
func (e *BusyError) Unwrap() error { return ErrBusy }

// Hint says what to do.
func (e *BusyError) Hint() string { return "wait until it is done and try again" }

type locksKey struct{}

// heldLocks are the locks of a context, and the conversations whose lock it has.
type heldLocks struct {
	Locks
	held []int64
	kept *keptLocks // Nil where a plan gives its locks back when it is made.
}

// has reports whether the context has the lock of a conversation.
func (l heldLocks) has(conversation int64) bool {
	return slices.Contains(l.held, conversation) || l.kept != nil && l.kept.has(conversation)
}

// keptLocks are locks that outlast the plans that took them.
type keptLocks struct {
	mu       sync.Mutex
	held     []int64
	releases []func()
}

func (k *keptLocks) has(conversation int64) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Contains(k.held, conversation)
}

func (k *keptLocks) add(conversation int64, release func()) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.held, k.releases = append(k.held, conversation), append(k.releases, release)
}

func (k *keptLocks) release() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, release := range k.releases {
		release()
	}
	k.held, k.releases = nil, nil
}

// KeepLocks returns a context in which the locks that plans take are kept until release: no other process comes between a plan
// and its write. Within such a context it changes nothing.
func KeepLocks(ctx context.Context) (kept context.Context, release func()) {
	l, _ := ctx.Value(locksKey{}).(heldLocks)
	if l.Locks == nil || l.kept != nil {
		return ctx, func() {}
	}
	l.kept = &keptLocks{}
	return context.WithValue(ctx, locksKey{}, l), l.kept.release
}

// WithLocks returns a context whose operations take the locks of their conversations; with nil they take none.
func WithLocks(ctx context.Context, l Locks) context.Context {
	return context.WithValue(ctx, locksKey{}, heldLocks{Locks: l})
}

// LockConversation takes the lock of a conversation, if the context has locks and not that one. What runs with the
// context that it returns has it until release, or until the locks that are kept are given back.
func LockConversation(ctx context.Context, db *data.DB, conversation int64) (locked context.Context, release func(), err error) {
	l, _ := ctx.Value(locksKey{}).(heldLocks)
	if l.Locks == nil || l.has(conversation) {
		return ctx, func() {}, nil
	}
	if release, err = l.Take(ctx, db.Path(), conversation); err != nil {
		return ctx, nil, err
	}
	if l.kept != nil {
		l.kept.add(conversation, release)
		return ctx, func() {}, nil
	}
	l.held = append(slices.Clone(l.held), conversation)
	return context.WithValue(ctx, locksKey{}, l), release, nil
}

// checkLocks fails where another process has the lock of a conversation that the plan changes.
func checkLocks(ctx context.Context, db *data.DB, p Plan) error {
	l, _ := ctx.Value(locksKey{}).(heldLocks)
	if l.Locks == nil {
		return nil
	}
	others := slices.DeleteFunc(p.conversations(), l.has)
	return l.Check(ctx, db.Path(), others)
}

// conversations returns the conversations of which the plan changes rows.
func (p Plan) conversations() (ids []int64) {
	for _, c := range p.Changes {
		for _, row := range []data.Row{c.Before, c.After} {
			if id, ok := row["conversation_id"].(int64); ok {
				ids = append(ids, id)
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}
