package cli

import (
	"context"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"lcm-tui/engine/comparison"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
)

// compareResult is the result of compare.
type compareResult struct {
	*comparison.Comparison
	nextPage
	warningList
}

// compareFlags is the flags of compare.
type compareFlags struct {
	file, sessions textFlag
	paging         paging
}

func (a *app) compare() *cobra.Command {
	s := &compareFlags{file: textFlag{noun: "FILE"}, sessions: textFlag{noun: "DIR"}}
	cmd := a.command(groupBrowse, "compare CONV", "Compare a Codex session file with the context", s.run)
	cmd.Long = `Compares the session file that Codex wrote for a conversation, called a rollout, with the
stored messages and the context. For each item it shows the context item that holds it, or
the summary that covers it; then what is missing, and what only the context has. The file is
found by the id of the session, or by the thread that OpenClaw noted.

Writes nothing.`
	cmd.Example = "  lcm-tui compare 12\n  lcm-tui compare agent:main:main --rollout ~/.codex/sessions/2026/01/05/rollout-x.jsonl --json"
	fs := cmd.Flags()
	fs.Var(&s.file, "rollout", "the session file, if it isn't found")
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
		folders := c.app.sessions(c.locations)
		if s.sessions.value != "" {
			folders = []string{s.sessions.value}
		}
		if path, err = comparison.Find(folders, conv); err != nil {
			return nil, err
		}
	}
	found, err := comparison.Compare(ctx, db, conv.ID, path)
	if err != nil {
		return nil, err
	}
	r := &compareResult{Comparison: found}
	found.Rows, r.Next, err = pageOf(&s.paging, found.Rows, nameOfRow)
	return r, err
}

// nameOfRow is what a row is called by: the line of the rollout, or the message.
func nameOfRow(r comparison.Row) string {
	if r.Line > 0 {
		return strconv.FormatInt(r.Line, 10)
	}
	return "message:" + strconv.FormatInt(r.Message, 10)
}

func (r *compareResult) text(p *printer) {
	p.linef("%s beside conversation %d", ui.Line(r.Path), r.Conversation)
	p.linef("%s stored, %d missing, %d without text; %s stored that the rollout lacks", plural.Count(r.Aligned, "item", "items"),
		len(r.Missing), len(r.Redacted), plural.Count(len(r.Extra), "message", "messages"))
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
	}
	p.table([]column{{title: "line", right: true}, {title: "role"}, {title: "context"}, {title: "text", grows: true}}, rows)
	r.more(p)
}

// contextHolder is what of the context holds a row.
func contextHolder(p *printer, r comparison.Row) string {
	mark := ""
	if r.Ambiguous {
		mark = "~ "
	}
	ordinal := ""
	if r.Ordinal != nil {
		ordinal = strconv.FormatInt(*r.Ordinal, 10)
	}
	switch r.Place {
	case comparison.InContext:
		return mark + fmt.Sprintf("%s #%d", ordinal, r.Message)
	case comparison.Covered:
		return mark + ordinal + " " + ui.LineN(r.Summary, 40)
	case comparison.Forgotten:
		return mark + styled(p.styles.Warn, fmt.Sprintf("! forgotten #%d", r.Message))
	case comparison.Missing:
		return styled(p.styles.Bad, "! not stored")
	case comparison.Redacted:
		return styled(p.styles.Muted, "no text")
	}
	return styled(p.styles.Accent, fmt.Sprintf("+ %s #%d", ordinal, r.Message))
}
