package cli

import (
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"lcm-tui/engine/ask"
)

// grantFlags carry the grant of a question to the server of a program that answers it. They are
// for lcm-tui itself, which starts that server.
type grantFlags struct {
	conversations, summaries, tools repeatedWords
	depth, tokens, expires          *integerFlag
	usage                           textFlag
}

func newGrantFlags() grantFlags {
	return grantFlags{
		conversations: repeatedWords{noun: "IDS"}, summaries: repeatedWords{noun: "IDS"}, tools: repeatedWords{noun: "NAMES"},
		depth:   atLeast(0, "N").preset(ask.DefaultGrantDepth),
		tokens:  atLeast(0, "N").preset(ask.DefaultGrantTokens),
		expires: atLeast(0, "UNIX"), usage: textFlag{noun: "FILE"},
	}
}

// bind adds the flags, hidden.
func (g *grantFlags) bind(fs *pflag.FlagSet) {
	for name, value := range map[string]pflag.Value{
		ask.FlagConversations: &g.conversations, ask.FlagSummaries: &g.summaries, ask.FlagDepth: g.depth, ask.FlagTokens: g.tokens,
		ask.FlagExpires: g.expires, ask.FlagUsage: &g.usage, "tools": &g.tools,
	} {
		fs.Var(value, name, "for a server that lcm-tui starts itself")
		_ = fs.MarkHidden(name)
	}
}

// names are the tools that are offered, with their whole names; none means all.
func (g *grantFlags) names() (out []string) {
	for _, name := range g.tools.values {
		if !strings.HasPrefix(name, "lcm_") {
			name = "lcm_" + name
		}
		out = append(out, name)
	}
	return out
}

// grant is the grant of the flags, or nil if they name no conversation.
func (g *grantFlags) grant() (*ask.Grant, error) {
	if len(g.conversations.values) == 0 {
		return nil, nil //nolint:nilnil // No grant is no error.
	}
	var ids []int64
	for _, text := range g.conversations.values {
		id, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, usageErrorf("--%s: expected ids of conversations, not %q", ask.FlagConversations, text)
		}
		ids = append(ids, id)
	}
	out := ask.NewGrant("of a process", "", time.Now, ids...)
	out.Summaries, out.MaxDepth, out.TokenCap = g.summaries.values, g.depth.value, g.tokens.value
	if g.expires.IsSet {
		out.Expires = time.Unix(g.expires.value, 0)
	}
	return out, nil
}
