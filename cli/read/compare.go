package read

import (
	"context"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/engine/compare"
	"lcm-tui/internal/plural"
	"lcm-tui/ops/backfill"
	"lcm-tui/ui"
)

// compareResult is the result of compare.
type compareResult struct {
	*compare.Comparison
	cli.NextPage
	cli.WarningList
}

// compareFlags is the flags of compare.
type compareFlags struct {
	file, sessions cli.TextFlag
	paging         cli.Paging
}

func compareCommand(a *cli.App) *cobra.Command {
	s := &compareFlags{file: cli.TextFlag{Noun: "PATH"}, sessions: cli.TextFlag{Noun: "DIR"}}
	cmd := a.Command(cli.GroupBrowse, "compare CONV", "Compare a conversation with its transcript", s.run)
	cmd.Long = `Compares the transcript of a conversation with the stored messages and the context: that of
OpenClaw, in its database or a session file, of Claude Code, Codex or Gemini. For each entry it
shows the context item that holds it, or the summary that covers it; then what is missing, and
what only the conversation has, with the reason. An entry in which the host masked a secret
counts as stored. The transcript is found by the id of the session, by the thread that
OpenClaw noted, or as the import finds it.

Writes nothing.`
	cmd.Example = "  lcm-tui compare 12\n  lcm-tui compare agent:main:main --transcript openclaw-agent.sqlite#0b5c2a7e-0000-4000-8000-000000000001 --json"
	fs := cmd.Flags()
	fs.Var(&s.file, "transcript", "the session file, or PATH#SESSION in a transcript database, if it isn't found")
	fs.Var(&s.file, "rollout", "as --transcript")
	_ = fs.MarkHidden("rollout") // The flag exists.
	fs.Var(&s.sessions, "sessions", "the folder in which to look for it (default: those of the hosts of this machine)")
	s.paging.Bind(cmd)
	return cmd
}

func (s *compareFlags) run(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	db, conv, err := c.OpenConversation(ctx)
	if err != nil {
		return nil, err
	}
	path := s.file.Value
	if path == "" {
		places := c.App.Sessions(c.Locations)
		if s.sessions.Value != "" {
			places = []string{s.sessions.Value}
		}
		if path, err = backfill.TranscriptOf(ctx, db, places, conv); err != nil {
			return nil, err
		}
	}
	defer c.Sys.LimitMemory(cli.ImportMemory)()
	found, err := compare.Compare(ctx, db, conv.ID, path)
	if err != nil {
		return nil, err
	}
	r := &compareResult{Comparison: found}
	found.Rows, r.Next, err = cli.PageOf(&s.paging, found.Rows, nameOfRow)
	return r, err
}

// nameOfRow returns what a row is called by: the line of the transcript, or the message.
func nameOfRow(r compare.Row) string {
	if r.Line > 0 {
		return strconv.FormatInt(r.Line, 10)
	}
	return "message:" + strconv.FormatInt(r.Message, 10)
}

func (r *compareResult) Print(p *cli.Printer) {
	p.Linef("%s beside conversation %d", ui.Line(r.Path), r.Conversation)
	p.Line(r.Counts())
	if len(r.Ambiguous) > 0 {
		p.Muted(plural.Count(len(r.Ambiguous), "item", "items") + " marked ~ may belong to another message that says the same")
	}
	if r.BadLines > 0 {
		p.Line(cli.Styled(p.Styles.Warn, plural.Count(r.BadLines, "line", "lines")+" of it can't be read"))
	}
	rows := make([][]string, len(r.Rows))
	for i, row := range r.Rows {
		line := ""
		if row.Line > 0 {
			line = ui.Num(row.Line)
		}
		rows[i] = []string{line, cli.Styled(p.Styles.Role(row.Role), ui.LineN(row.Role, 10)), contextHolder(p, row), cli.Preview(row.Preview)}
		if (row.Place == compare.Extra || row.Place == compare.Missing) && row.Why != "" {
			rows[i][3] = cli.Styled(p.Styles.Muted, row.Why)
		}
	}
	p.Table([]cli.Column{{Title: "line", Right: true}, {Title: "role"}, {Title: "context"}, {Title: "text", Grows: true}}, rows)
	r.More(p)
}

// contextHolder returns what of the context holds a row.
func contextHolder(p *cli.Printer, r compare.Row) string {
	mark := ""
	if r.Ambiguous {
		mark = "~ "
	}
	ordinal := ""
	if r.Ordinal != nil {
		ordinal = strconv.FormatInt(*r.Ordinal, 10)
	}
	switch r.Place {
	case compare.InContext:
		return mark + fmt.Sprintf("%s #%d", ordinal, r.Message)
	case compare.Covered:
		return mark + ordinal + " " + ui.LineN(r.Summary, 40)
	case compare.Forgotten:
		return mark + cli.Styled(p.Styles.Warn, fmt.Sprintf("! forgotten #%d", r.Message))
	case compare.Missing:
		return cli.Styled(p.Styles.Bad, "! not stored")
	case compare.Redacted:
		return cli.Styled(p.Styles.Muted, "no text")
	case compare.Elsewhere:
		return cli.Styled(p.Styles.Muted, fmt.Sprintf("elsewhere #%d", r.Message))
	case compare.LeftOut:
		return cli.Styled(p.Styles.Muted, "left out")
	}
	return cli.Styled(p.Styles.Accent, fmt.Sprintf("+ %s #%d", ordinal, r.Message))
}
