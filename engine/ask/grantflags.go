package ask

import (
	"strconv"
	"strings"
	"time"
)

// The flags of a server that carry a grant to it.
const (
	FlagConversations = "grant-conversations"
	FlagSummaries     = "grant-summaries"
	FlagDepth         = "grant-depth"
	FlagTokens        = "grant-tokens"
	FlagExpires       = "grant-expires"
	FlagUsage         = "grant-usage"
)

// Flags returns the flags of a server that works under the grant and notes in a file what it returned.
// They name what may be read and hold no secret: whoever can start the server can read the file.
func (g *Grant) Flags(usage string) []string {
	ids := make([]string, len(g.Conversations))
	for i, id := range g.Conversations {
		ids[i] = strconv.FormatInt(id, 10)
	}
	flag := func(name, value string) string { return "--" + name + "=" + value }
	out := []string{
		flag(FlagConversations, strings.Join(ids, ",")), flag(FlagDepth, strconv.FormatInt(g.MaxDepth, 10)),
		flag(FlagTokens, strconv.FormatInt(g.Remaining(), 10)), flag(FlagExpires, strconv.FormatInt(g.Expires.Unix(), 10)),
	}
	if len(g.Summaries) > 0 {
		out = append(out, flag(FlagSummaries, strings.Join(g.Summaries, ",")))
	}
	if usage != "" {
		out = append(out, flag(FlagUsage, usage))
	}
	return out
}

// GrantFlags are the values of these flags, as a server was given them.
type GrantFlags struct {
	Conversations, Summaries, Depth, Tokens, Expires string
	// Usage is the file in which the server notes what it returned; empty is none.
	Usage string
}

// Set reports whether a grant was given.
func (f GrantFlags) Set() bool { return f.Conversations != "" }

// Grant returns the grant that the flags carry. Every value must be there but the summaries and the
// file: without one of them more would be allowed than was meant.
func (f GrantFlags) Grant() (*Grant, error) {
	g := NewGrant(serverGrantID, "server", time.Now)
	for id := range strings.SplitSeq(f.Conversations, ",") {
		n, err := strconv.ParseInt(id, 10, 64)
		if err != nil {
			return nil, grantFlagError(FlagConversations, "numbers between commas", f.Conversations)
		}
		g.Conversations = append(g.Conversations, n)
	}
	if f.Summaries != "" {
		g.Summaries = uniqueTrimmed(strings.Split(f.Summaries, ","))
	}
	var expires int64
	for _, n := range []struct {
		name, value string
		into        *int64
	}{{FlagDepth, f.Depth, &g.MaxDepth}, {FlagTokens, f.Tokens, &g.TokenCap}, {FlagExpires, f.Expires, &expires}} {
		v, err := strconv.ParseInt(n.value, 10, 64)
		if err != nil || v < 0 {
			return nil, grantFlagError(n.name, "a whole number from 0", n.value)
		}
		*n.into = v
	}
	g.Expires = time.Unix(expires, 0)
	return g, nil
}

// serverGrantID is the id of a grant that came as flags, whose own id stays with who made it.
const serverGrantID = "ofthisserver"

func grantFlagError(name, expected, got string) error {
	return &InputError{"--" + name + ": expected " + expected + ", not " + strconv.Quote(got), "lcm-tui sets this flag itself, where it starts a server for a model"}
}
