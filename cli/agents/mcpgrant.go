package agents

import (
	"strings"

	"github.com/spf13/pflag"

	"lcm-tui/cli"
	"lcm-tui/engine/ask"
)

// grantFlags carry the grant of a question to the server of a program that answers it. They are
// for lcm-tui itself, which starts that server.
type grantFlags struct {
	conversations, summaries, depth, tokens, expires, usage cli.TextFlag
	tools                                                   cli.RepeatedWords
}

func newGrantFlags() *grantFlags {
	return &grantFlags{
		conversations: cli.TextFlag{Noun: "IDS"}, summaries: cli.TextFlag{Noun: "IDS"}, tools: cli.RepeatedWords{Noun: "NAMES"},
		depth: cli.TextFlag{Noun: "N"}, tokens: cli.TextFlag{Noun: "N"}, expires: cli.TextFlag{Noun: "UNIX"}, usage: cli.TextFlag{Noun: "FILE"},
	}
}

// bind adds the flags, hidden.
func (g *grantFlags) bind(fs *pflag.FlagSet) {
	for name, value := range map[string]pflag.Value{
		ask.FlagConversations: &g.conversations, ask.FlagSummaries: &g.summaries, ask.FlagDepth: &g.depth, ask.FlagTokens: &g.tokens,
		ask.FlagExpires: &g.expires, ask.FlagUsage: &g.usage, "tools": &g.tools,
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
	given := ask.GrantFlags{
		Conversations: g.conversations.Value, Summaries: g.summaries.Value,
		Depth: g.depth.Value, Tokens: g.tokens.Value, Expires: g.expires.Value, Usage: g.usage.Value,
	}
	if !given.Set() {
		return nil, nil //nolint:nilnil // No grant is no error.
	}
	out, err := given.Grant()
	if err != nil {
		return nil, cli.UsageErrorf("%v", err)
	}
	return out, nil
}
