package cli

import (
	"context"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"lcm-tui/engine/compare"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
)

// compareResult is the result of compare.
type compareResult struct {
	*compare.Comparison
	nextPage
	warningList
}

// compareFlags is the flags of compare.
type compareFlags struct {
	file, sessions textFlag
	paging         paging
}

func (a *app) compare() *cobra.Command {
	s := &compareFlags{file: textFlag{noun: "PATH"}, sessions: textFlag{noun: "DIR"}}
	cmd := a.command(groupBrowse, "compare CONV", "Compare a conversation with its transcript", s.run)
	cmd.Long = `Compares the transcript of a conversation with the stored messages and the context: that of
OpenClaw, in its database or a session file, of Claude Code, or of Codex. For each entry it
shows the context item that holds it, or the summary that covers it; then what is missing, and
what only the conversation has, with the reason. An entry in which the host masked a secret
counts as stored. The transcript is found by the id of the session, or by the thread that
OpenClaw noted.

Writes nothing.`
	cmd.Example = "  lcm-tui compare 12\n  lcm-tui compare agent:main:main --transcript openclaw-agent.sqlite#0b5c2a7e-0000-4000-8000-000000000001 --json"
	fs := cmd.Flags()
	fs.Var(&s.file, "transcript", "the session file, or PATH#SESSION in a transcript database, if it isn't found")
	fs.Var(&s.file, "rollout", "as --transcript")
	_ = fs.MarkHidden("rollout") // The flag exists.
	fs.Var(&s.sessions, "sessions", "the folder in which to look for it (default: those of the hosts of this machine)")
	s.paging.bind(cmd)
	return cmd
}

func (s *compareFlags) run(ctx context.Context, c *invocation) (result, error) {
	db, conv, err := c.openConversation(ctx)
	if err != nil {
		return nil, err
	}
	path := s.file.value
	if path == "" {
		places := c.app.sessions(c.locations)
		if s.sessions.value != "" {
			places = []string{s.sessions.value}
		}
		if path, err = compare.Find(ctx, places, conv); err != nil {
			return nil, err
		}
	}
	defer c.sys.limitMemory(importMemory)()
	found, err := compare.Compare(ctx, db, conv.ID, path)
	if err != nil {
		return nil, err
	}
	r := &compareResult{Comparison: found}
	found.Rows, r.Next, err = pageOf(&s.paging, found.Rows, nameOfRow)
	return r, err
}

// nameOfRow is what a row is called by: the line of the transcript, or the message.
func nameOfRow(r compare.Row) string {
	if r.Line > 0 {
		return strconv.FormatInt(r.Line, 10)
	}
	return "message:" + strconv.FormatInt(r.Message, 10)
}

func (r *compareResult) Print(p *printer) {
	p.linef("%s beside conversation %d", ui.Line(r.Path), r.Conversation)
	p.line(r.Counts())
	if len(r.Ambiguous) > 0 {
		p.muted(plural.Count(len(r.Ambiguous), "item", "items") + " marked ~ may belong to another message that says the same")
	}
	if r.BadLines > 0 {
		p.line(styled(p.styles.Warn, plural.Count(r.BadLines, "line", "lines")+" of it can't be read"))
	}
	rows := make([][]string, len(r.Rows))
	for i, row := range r.Rows {
		line := ""
		if row.Line > 0 {
			line = ui.Num(row.Line)
		}
		rows[i] = []string{line, styled(p.styles.Role(row.Role), ui.LineN(row.Role, 10)), contextHolder(p, row), preview(row.Preview)}
		if (row.Place == compare.Extra || row.Place == compare.Missing) && row.Why != "" {
			rows[i][3] = styled(p.styles.Muted, row.Why)
		}
	}
	p.table([]column{{title: "line", right: true}, {title: "role"}, {title: "context"}, {title: "text", grows: true}}, rows)
	r.more(p)
}

// contextHolder is what of the context holds a row.
func contextHolder(p *printer, r compare.Row) string {
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
		return mark + styled(p.styles.Warn, fmt.Sprintf("! forgotten #%d", r.Message))
	case compare.Missing:
		return styled(p.styles.Bad, "! not stored")
	case compare.Redacted:
		return styled(p.styles.Muted, "no text")
	case compare.Elsewhere:
		return styled(p.styles.Muted, fmt.Sprintf("elsewhere #%d", r.Message))
	case compare.LeftOut:
		return styled(p.styles.Muted, "left out")
	}
	return styled(p.styles.Accent, fmt.Sprintf("+ %s #%d", ordinal, r.Message))
}
