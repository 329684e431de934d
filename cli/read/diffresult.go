package read

import (
	"fmt"
	"strings"

	"lcm-tui/cli"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/plural"
	"lcm-tui/ops/diff"
	"lcm-tui/ops/diff/filepair"
	"lcm-tui/ui"
)

// diffResult is the result of diff.
type diffResult struct {
	*diff.Report
	cli.WarningList
}

func (r *diffResult) Print(p *cli.Printer) {
	r.files(p)
	if len(r.Conversations) > 0 {
		p.Line("")
		p.DiffConversations(r.Report)
	}
	for _, c := range r.Conversations {
		if c.Details != nil {
			p.Line("")
			diffDetails(p, c)
		}
	}
	if len(r.Tables) > 0 {
		p.Line("")
		p.Title("tables of no conversation")
		for _, t := range r.Tables {
			p.Linef("  %s  %s", ui.Line(t.Name), diff.CountsText(t.Counts))
		}
	}
	r.health(p)
	p.Line("")
	r.verdict(p)
}

// files names both files, and what of them isn't compared.
func (r *diffResult) files(p *cli.Printer) {
	for _, f := range []struct {
		name string
		file diff.File
	}{{"before", r.Before}, {"after", r.After}} {
		p.Fact(f.name, ui.Line(f.file.Path)+"  "+p.Styles.Muted.Render(ui.Line(f.file.Kind)))
	}
	if r.Lineage == filepair.ByMeaning {
		p.Muted("no file is a copy of the other: rows are matched by what they mean, not by their ids")
	}
	for _, f := range []struct {
		name string
		only []string
	}{{"before", r.Before.Only}, {"after", r.After.Only}} {
		if len(f.only) > 0 {
			p.Muted("only " + f.name + ", not compared: " + ui.Line(strings.Join(f.only, ", ")))
		}
	}
	for _, n := range r.Notes {
		p.Muted(ui.Line(n))
	}
	for _, l := range r.Uncompared() {
		p.Line(cli.Styled(p.Styles.Bad, "! "+ui.Line(l)))
	}
}

// health lists the faults that are new or gone.
func (r *diffResult) health(p *cli.Printer) {
	if r.Health == nil {
		return
	}
	p.Line("")
	p.Title("faults")
	for _, f := range r.Health.New {
		p.Line(cli.Styled(p.Styles.Removed, "+ "+faultLine(f)))
	}
	for _, f := range r.Health.Gone {
		p.Line(cli.Styled(p.Styles.Added, "− "+faultLine(f)))
	}
	p.Muted(fmt.Sprintf("%s new, %s gone, %s in both", ui.Num(int64(len(r.Health.New))), ui.Num(int64(len(r.Health.Gone))), ui.Num(int64(r.Health.Same))))
}

func faultLine(f integrity.Finding) string {
	where := ""
	if f.Conversation != 0 {
		where = fmt.Sprintf("conversation %d  ", f.Conversation)
	}
	return ui.Line(string(f.Fault)+"  "+where) + ui.LineN(f.Row+"  "+f.Detail, 160)
}

// verdict says in one line whether the files are equal.
func (r *diffResult) verdict(p *cli.Printer) {
	switch {
	case r.Equal && r.Before.Path == r.After.Path:
		p.Line(cli.Styled(p.Styles.Good, "✓") + " equal")
	case r.Equal:
		p.Line(cli.Styled(p.Styles.Good, "✓") + " equal: " + plural.Count(r.Common, "conversation", "conversations"))
	default:
		p.Line(r.Sum())
	}
}
