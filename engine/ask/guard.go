package ask

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
)

// Caller is who asks.
type Caller struct {
	// Session names the origin session. One question at a time is answered for it.
	Session string
	// RequestID names the request; empty is a new one.
	RequestID string
	// Depth is how many questions stand above this one: 0 for a session of a person.
	Depth int
	// HoldsGrant says that the caller is a navigator's own process.
	HoldsGrant bool
}

// The codes and reasons of a question that isn't answered because of who asks.
const (
	CodeRecursionBlocked   = "EXPANSION_RECURSION_BLOCKED"
	CodeConcurrencyBlocked = "EXPANSION_CONCURRENCY_BLOCKED"

	ReasonDepthCap   = "depth_cap"
	ReasonReentry    = "idempotent_reentry"
	ReasonInFlight   = "origin_session_in_flight"
	maxExpansionDeep = 1
)

// BlockedError says that a question isn't answered because of who asks.
type BlockedError struct {
	Code, Reason, RequestID, Session string
	Depth                            int
}

var blockedTexts = map[string]struct{ message, advice string }{
	ReasonDepthCap: {
		"a question can't be asked while another one is being answered from it",
		"use lcm_describe, lcm_expand and lcm_grep here, and answer from what they return; ask further questions in the origin session",
	},
	ReasonReentry: {
		"this request was refused before",
		"don't call lcm_expand_query again for this request; answer from what lcm_describe, lcm_expand and lcm_grep return",
	},
	ReasonInFlight: {
		"another question of this session is being answered",
		"wait until it is answered, and ask again then",
	},
}

func (e *BlockedError) Error() string { return blockedTexts[e.Reason].message }

// Hint says what to do instead.
func (e *BlockedError) Hint() string { return blockedTexts[e.Reason].advice }

// Counters count what became of questions.
type Counters struct{ Start, Block, Timeout, Success atomic.Int64 }

// guard refuses questions within questions, and a second one of a session at the same time.
type guard struct {
	mu sync.Mutex
	// busy are the sessions of which a question is being answered.
	busy map[string]bool
	// refused are the newest requests that were refused, by session and request.
	refused  []string
	counters Counters
	log      *slog.Logger
}

// maxRefused is how many refused requests are known again.
const maxRefused = 256

// checkDepth refuses a caller that itself answers a question.
func (g *guard) checkDepth(ctx context.Context, c Caller) error {
	if c.Depth < maxExpansionDeep && !c.HoldsGrant {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	reason, key := ReasonDepthCap, c.Session+"\x00"+c.RequestID
	if slices.Contains(g.refused, key) {
		reason = ReasonReentry
	} else if g.refused = append(g.refused, key); len(g.refused) > maxRefused {
		g.refused = g.refused[1:]
	}
	return g.block(ctx, CodeRecursionBlocked, reason, c)
}

// acquire takes the slot of a session. release gives it back; it may be called again.
func (g *guard) acquire(ctx context.Context, c Caller) (release func(), err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.busy[c.Session] {
		return nil, g.block(ctx, CodeConcurrencyBlocked, ReasonInFlight, c)
	}
	if g.busy == nil {
		g.busy = map[string]bool{}
	}
	g.busy[c.Session] = true
	g.record(ctx, &g.counters.Start, "a question is being answered", c)
	return sync.OnceFunc(func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		delete(g.busy, c.Session)
	}), nil
}

// block counts a refusal and is its error.
func (g *guard) block(ctx context.Context, code, reason string, c Caller) error {
	g.record(ctx, &g.counters.Block, "a question was refused: "+reason, c)
	return &BlockedError{Code: code, Reason: reason, RequestID: c.RequestID, Session: c.Session, Depth: c.Depth}
}

// record counts and logs what became of a question.
func (g *guard) record(ctx context.Context, n *atomic.Int64, what string, c Caller) {
	count := n.Add(1)
	if g.log != nil {
		g.log.InfoContext(ctx, what, "count", count, "request", c.RequestID, "session", c.Session, "depth", c.Depth)
	}
}
