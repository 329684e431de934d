package ask

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// What a grant allows where nothing else is said.
const (
	DefaultGrantDepth  = 3
	DefaultGrantTokens = 4000
	DefaultGrantTTL    = 5 * time.Minute
)

// Grant is a permission to read, made for one question and held in memory only: which
// conversations and summaries, how deep, how many tokens, and until when. Tokens are used up
// over all calls. Its methods may be called from several goroutines.
type Grant struct {
	// ID is "grant_" and twelve characters. Issuer is the session that asked.
	ID, Issuer string
	// Conversations are those that may be read.
	Conversations []int64
	// Summaries are those that may be expanded; none means all of the conversations.
	Summaries []string
	// MaxDepth is how many levels one call may expand.
	MaxDepth int64
	// TokenCap is how many tokens all calls together may return.
	TokenCap int64
	// Expires is when the grant ends.
	Expires time.Time
	// Now is the clock; nil is time.Now.
	Now func() time.Time

	mu       sync.Mutex
	consumed int64
	revoked  bool
}

// NewGrant returns a grant with the default depth, tokens and time. id has at least twelve
// characters, of which the first twelve count.
func NewGrant(id, issuer string, now func() time.Time, conversations ...int64) *Grant {
	if now == nil {
		now = time.Now
	}
	return &Grant{
		ID: "grant_" + id[:min(len(id), 12)], Issuer: issuer, Conversations: conversations, Now: now,
		MaxDepth: DefaultGrantDepth, TokenCap: DefaultGrantTokens, Expires: now().Add(DefaultGrantTTL),
	}
}

// Refusal is why a grant doesn't allow something.
type Refusal string

// The refusals, in the order in which they are checked.
const (
	RefusedUnknown      Refusal = "unknown_grant"
	RefusedRevoked      Refusal = "revoked"
	RefusedExpired      Refusal = "expired"
	RefusedConversation Refusal = "conversation_not_allowed"
	RefusedSummary      Refusal = "summary_not_allowed"
	RefusedBudget       Refusal = "budget_used_up"
)

// RefusalError says what a grant doesn't allow, and why.
type RefusalError struct {
	Reason Refusal
	// What names the conversation, the summaries or the grant.
	What string
}

var refusalTexts = map[Refusal]string{
	RefusedUnknown:      "there is no grant %s",
	RefusedRevoked:      "the grant %s was revoked",
	RefusedExpired:      "the grant %s has expired",
	RefusedConversation: "conversation %s is outside of the delegated conversation scope",
	RefusedSummary:      "%s is outside of the summaries that the grant allows",
	RefusedBudget:       "the token budget of the grant %s is used up",
}

func (e *RefusalError) Error() string { return fmt.Sprintf(refusalTexts[e.Reason], e.What) }

// Check returns nil if the grant allows a conversation and all of some summaries. Conversation 0 is
// not checked. Its error is a *RefusalError with the first reason against it.
func (g *Grant) Check(conversation int64, summaries ...string) error {
	if g == nil {
		return &RefusalError{RefusedUnknown, "for this call"}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case g.revoked:
		return &RefusalError{RefusedRevoked, g.ID}
	case !g.now().Before(g.Expires):
		return &RefusalError{RefusedExpired, g.ID}
	case conversation != 0 && !slices.Contains(g.Conversations, conversation):
		return &RefusalError{RefusedConversation, strconv.FormatInt(conversation, 10)}
	}
	if len(g.Summaries) == 0 {
		return nil
	}
	var outside []string
	for _, id := range summaries {
		if !slices.Contains(g.Summaries, id) {
			outside = append(outside, id)
		}
	}
	if len(outside) > 0 {
		return &RefusalError{RefusedSummary, strings.Join(outside, ", ")}
	}
	return nil
}

// CheckBudget returns nil while tokens are left.
func (g *Grant) CheckBudget() error {
	if g.Remaining() == 0 {
		return &RefusalError{RefusedBudget, g.ID}
	}
	return nil
}

func (g *Grant) now() time.Time {
	if g.Now == nil {
		return time.Now()
	}
	return g.Now()
}

// Remaining returns how many tokens are left.
func (g *Grant) Remaining() int64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	return max(0, g.TokenCap-g.consumed)
}

// Consumed returns how many tokens were used, at most TokenCap.
func (g *Grant) Consumed() int64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.consumed
}

// Consume counts the tokens of a result, rounded down. More than the cap is the cap; negative
// numbers and those that are none count nothing.
func (g *Grant) Consume(tokens float64) {
	if math.IsNaN(tokens) || tokens <= 0 {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	left := g.TokenCap - g.consumed
	if tokens >= float64(left) {
		g.consumed = max(g.consumed, g.TokenCap)
		return
	}
	g.consumed += int64(tokens)
}

// ClampDepth returns how deep a call may expand that asks for a depth; below 1 is not said.
func (g *Grant) ClampDepth(depth int64) int64 {
	if depth < 1 {
		return g.MaxDepth
	}
	return min(depth, g.MaxDepth)
}

// ClampTokens returns how many tokens a call may return that asks for a number; below 1 is not said.
func (g *Grant) ClampTokens(tokens int64) int64 {
	left := g.Remaining()
	if tokens < 1 {
		return left
	}
	return min(tokens, left)
}

// Revoke ends the grant. Calls that run go on, others are refused.
func (g *Grant) Revoke() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.revoked = true
}

// Child returns a grant for what a holder of this one starts: the same conversations and summaries,
// one level less, and at most maxTokens of the tokens that are left.
func (g *Grant) Child(id, issuer string, maxTokens int64) (*Grant, error) {
	if err := g.Check(0); err != nil {
		return nil, err
	}
	if err := g.CheckBudget(); err != nil {
		return nil, err
	}
	child := NewGrant(id, issuer, g.now, slices.Clone(g.Conversations)...)
	child.Summaries = slices.Clone(g.Summaries)
	child.MaxDepth, child.TokenCap = max(0, g.MaxDepth-1), min(g.Remaining(), maxTokens)
	return child, nil
}
