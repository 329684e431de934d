package agents

import (
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"lcm-tui/cli"
	"lcm-tui/engine/ask"
)

// grantFlags carry the grant of a question to the server of a program that answers it. They are
// for lcm-tui itself, which starts that server.
type grantFlags struct {
	conversations, summaries, tools cli.RepeatedWords
	depth, tokens, expires          *cli.IntegerFlag
	usage                           cli.TextFlag
}

func newGrantFlags() grantFlags {
	return grantFlags{
		conversations: cli.RepeatedWords{Noun: "IDS"}, summaries: cli.RepeatedWords{Noun: "IDS"}, tools: cli.RepeatedWords{Noun: "NAMES"},
		depth:   cli.AtLeast(0, "N").Preset(ask.DefaultGrantDepth),
		tokens:  cli.AtLeast(0, "N").Preset(ask.DefaultGrantTokens),
		expires: cli.AtLeast(0, "UNIX"), usage: cli.TextFlag{Noun: "FILE"},
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

// names returns the tools that are offered, with their whole names; none means all.
func (g *grantFlags) names() (out []string) {
	for _, name := range g.tools.Values {
		if !strings.HasPrefix(name, "lcm_") {
			name = "lcm_" + name
		}
		out = append(out, name)
	}
	return out
}

// grant returns the grant of the flags, or nil if they name no conversation.
func (g *grantFlags) grant() (*ask.Grant, error) {
	if len(g.conversations.Values) == 0 {
		return nil, nil //nolint:nilnil // No grant is no error.
	}
	var ids []int64
	for _, text := range g.conversations.Values {
		id, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, cli.UsageErrorf("--%s: expected ids of conversations, not %q", ask.FlagConversations, text)
		}
		ids = append(ids, id)
	}
	out := ask.NewGrant("of a process", "", time.Now, ids...)
	out.Summaries, out.MaxDepth, out.TokenCap = g.summaries.Values, g.depth.Value, g.tokens.Value
	if g.expires.IsSet {
		out.Expires = time.Unix(g.expires.Value, 0)
	}
	return out, nil
}
