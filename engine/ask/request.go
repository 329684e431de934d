package ask

import (
	"slices"
	"strings"
	"time"

	"lcm-tui/data/jstext"
)

// Params are the parameters of a question.
type Params struct {
	// Prompt is the question; it must not be blank.
	Prompt string
	// SummaryIDs are the summaries to start from, and Query finds some by a full-text search. One
	// of the two must be there.
	SummaryIDs []string
	Query      string
	// FromPrompt has the words of Prompt find the summaries where neither is there: for people at
	// a command line; an agent says where to start.
	FromPrompt bool
	// AllConversations asks each conversation of the scope by itself.
	AllConversations bool
	// MaxTokens is the size of the answer; 0 is 2,000. TokenCap is how many tokens may be read,
	// over all calls; 0 is the setting maxExpandTokens.
	MaxTokens, TokenCap int64
	// Timeout is the time for everything; 0 is the delegation timeout and half a minute.
	Timeout time.Duration
}

// Limits are the settings of the host on which defaults depend.
type Limits struct {
	// MaxExpandTokens is how many tokens a question may read; 0 is 4,000.
	MaxExpandTokens int64
	// DelegationTimeout is how long a navigator may work; 0 is two minutes.
	DelegationTimeout time.Duration
}

// MaxTimeout is the longest time that a question may take.
const MaxTimeout = 10 * time.Minute

// The defaults and bounds of a question.
const (
	defaultAnswerTokens      = 2000
	defaultDelegationTimeout = 2 * time.Minute
	// cleanUpTime is kept back from the timeout, to read and check what a navigator left.
	cleanUpTime = 30 * time.Second
)

// InputError says which parameter can't be used.
type InputError struct{ Message, Advice string }

func (e *InputError) Error() string { return e.Message }

// Hint says what to give instead.
func (e *InputError) Hint() string { return e.Advice }

// complete fills in the defaults and clamps what is out of bounds. Its error is an *InputError.
func (p Params) complete(l Limits) (Params, error) {
	if p.Prompt = jstext.Trim(p.Prompt); p.Prompt == "" {
		return p, &InputError{"prompt is required and must not be blank", "say what the answer is to be about"}
	}
	p.SummaryIDs = uniqueTrimmed(p.SummaryIDs)
	if p.Query = jstext.Trim(p.Query); p.Query == "" && len(p.SummaryIDs) == 0 && !p.FromPrompt {
		return p, &InputError{"one of summaryIds and query is required", "give query to search for summaries, or summaryIds from lcm_grep or lcm_describe"}
	}
	p.FromPrompt = p.FromPrompt && p.Query == "" && len(p.SummaryIDs) == 0
	l = l.complete()
	if p.MaxTokens < 1 {
		p.MaxTokens = defaultAnswerTokens
	}
	if p.TokenCap < 1 {
		p.TokenCap = l.MaxExpandTokens
	}
	if p.Timeout == 0 {
		p.Timeout = l.DelegationTimeout + cleanUpTime
	}
	p.Timeout = min(max(p.Timeout, time.Millisecond), MaxTimeout)
	return p, nil
}

func (l Limits) complete() Limits {
	if l.MaxExpandTokens < 1 {
		l.MaxExpandTokens = DefaultGrantTokens
	}
	if l.DelegationTimeout <= 0 {
		l.DelegationTimeout = defaultDelegationTimeout
	}
	return l
}

// deadlines are until when a question is answered: navigators work until work, and what is left
// until total is for reading and checking.
type deadlines struct{ work, total time.Time }

// deadlinesOf returns those of a question that was asked at start: half a minute is kept back, as in
// the reference engine. Of a timeout under 45 seconds work gets up to 15 seconds, but no more than
// half: the reference engine leaves it nothing below half a minute, so that every such question
// fails.
func deadlinesOf(start time.Time, timeout time.Duration, l Limits) deadlines {
	total := start.Add(timeout)
	most := max(timeout-cleanUpTime, min(cleanUpTime, timeout)/2)
	return deadlines{work: start.Add(min(l.complete().DelegationTimeout, most)), total: total}
}

// uniqueTrimmed returns the texts without blanks around them, each once, without empty ones.
func uniqueTrimmed(texts []string) (out []string) {
	for _, s := range texts {
		if s = jstext.Trim(s); s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// foldSpace returns a text on one line, cut after most UTF-16 units.
func foldSpace(s string, most int) string {
	s = strings.Join(strings.Fields(s), " ")
	n := 0
	for i, r := range s {
		if n++; r > 0xffff {
			n++
		}
		if n > most {
			return s[:i]
		}
	}
	return s
}

// maxShownID is how much of an id that a caller gave an error shows, in UTF-16 units.
const maxShownID = 100

// unknownSummary returns the error of the first named summary that there isn't.
func unknownSummary(id string) error {
	return &InputError{"there is no summary " + foldSpace(id, maxShownID), "use ids from lcm_grep or lcm_describe"}
}
