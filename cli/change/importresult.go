package change

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/outcome"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
	"lcm-tui/ops/backfill"
	"lcm-tui/ui"
)

// importResults is the result of backfill: a plan of as many parts as there are files.
type importResults struct {
	Op         string          `json:"op"`
	Title      string          `json:"title"`
	Notes      []string        `json:"notes"`
	Impact     ops.Impact      `json:"impact"`
	Changes    []change.Change `json:"changes"` // Of a single, short session file; many have too many.
	Texts      []ops.Text      `json:"texts"`
	Files      []*importResult `json:"files"`
	Totals     importTotals    `json:"totals"`
	Applied    bool            `json:"applied"`
	Record     *int64          `json:"record"` // The last one.
	Compaction *cli.PlanResult `json:"compaction,omitempty"`
	Transplant *cli.PlanResult `json:"transplant,omitempty"`
	// Stopped is why not all of it was done, if the import ended early.
	Stopped string `json:"stopped,omitempty"`
	cli.WarningList
	planned bool // Impact is that of a plan.
}

// importResult is one session file.
type importResult struct {
	backfill.Survey
	Records []int64 `json:"records,omitempty"`
}

// importTotals are the sums over all files.
type importTotals struct {
	Files         int   `json:"files"`
	Conversations int   `json:"new_conversations"`
	Messages      int   `json:"messages"`
	Tokens        int64 `json:"tokens"`
	LargeFiles    int   `json:"large_files"`
	BadLines      int   `json:"bad_lines"`
	Bytes         int64 `json:"bytes"`
}

func newImports(apply bool) *importResults {
	p := ops.New("backfill", "")
	return &importResults{Op: p.Op, Notes: p.Notes, Changes: p.Changes, Texts: p.Texts, Files: []*importResult{}, Applied: apply}
}

// show adds the rows that an import would write.
func (i *importResults) show(ctx context.Context, db *data.DB, o *backfill.Op) error {
	p, err := o.Plan(ctx, db, func(int, int, string) {})
	i.Changes, i.Impact, i.planned = p.Changes, p.Impact, true
	return err
}

func (i *importResults) add(one *importResult) { i.Files = append(i.Files, one) }

// total sums up.
func (i *importResults) total() {
	t := &i.Totals
	made := map[string]bool{}
	for _, f := range i.Files {
		t.Files++
		t.Messages += f.Messages
		t.Tokens += f.Tokens
		t.LargeFiles += f.Survey.Files
		t.BadLines += f.BadLines
		t.Bytes += f.Bytes
		if f.New && f.Messages > 0 {
			made[f.Session] = true
		}
		if len(f.Records) > 0 {
			i.Record = &f.Records[len(f.Records)-1]
		}
	}
	t.Conversations = len(made)
	if !i.planned {
		i.Impact.ItemsAfter, i.Impact.TokensAfter = t.Messages, t.Tokens
	}
	i.Applied = i.Applied && i.Record != nil
	verb := "import"
	if i.Applied {
		verb = "imported"
	}
	i.Title = fmt.Sprintf("%s %s of %s", verb, plural.Count(t.Messages, "message", "messages"), plural.Count(t.Files, "session file", "session files"))
}

// conversations returns those that something was added to, or all of the session files'.
func (i *importResults) conversations(all bool) (out []int64) {
	seen := map[int64]bool{}
	for _, f := range i.Files {
		if (all || f.Messages > 0) && f.Conversation != 0 && !seen[f.Conversation] {
			seen[f.Conversation] = true
			out = append(out, f.Conversation)
		}
	}
	return out
}

func (i *importResults) Print(p *cli.Printer) {
	p.Title(i.Title)
	var rows [][]string
	for _, f := range i.Files {
		if f.Messages == 0 && f.BadLines == 0 {
			continue
		}
		rows = append(rows, []string{
			string(f.Kind), f.targetName(), ui.Num(int64(f.Messages)), ui.Num(f.Tokens), ui.Num(int64(f.Survey.Files)), ui.Num(int64(f.BadLines)),
			ui.Size(f.Bytes), ui.LineN(f.Path, 200),
		})
	}
	i.table(p, rows)
	if n := len(i.Files) - len(rows); n > 0 {
		p.Muted(plural.Count(n, "session file", "session files") + " with nothing new")
	}
	p.Write("\n")
	t := i.Totals
	p.Line(fmt.Sprintf("%s, %s, %s, %s, %s, of %s", plural.Count(t.Messages, "message", "messages"), ui.Tokens(t.Tokens),
		plural.Count(t.Conversations, "new conversation", "new conversations"), plural.Count(t.LargeFiles, "large file", "large files"),
		plural.Count(t.BadLines, "bad line", "bad lines"), ui.Size(t.Bytes)))
	i.notes(p)
	i.writeOutcome(p)
}

// table lists the session files of which there is something to say.
func (i *importResults) table(p *cli.Printer, rows [][]string) {
	if len(rows) == 0 {
		return
	}
	p.Table([]cli.Column{
		{Title: "kind", Style: p.Styles.Muted},
		{Title: "conversation"},
		{Title: "messages", Right: true},
		{Title: "tokens", Right: true},
		{Title: "files", Right: true, Spare: true},
		{Title: "bad", Right: true, Spare: true},
		{Title: "size", Right: true, Spare: true},
		{Title: "session file", Grows: true},
	}, rows)
}

// hasUnfinishedAnswer reports whether an answer was left out that may not be whole.
func (i *importResults) hasUnfinishedAnswer() bool {
	return slices.ContainsFunc(i.Files, func(f *importResult) bool { return f.Growing })
}

// writeOutcome says what became of it.
func (i *importResults) writeOutcome(p *cli.Printer) {
	switch {
	case i.Totals.Messages == 0 && i.hasUnfinishedAnswer():
		p.Line("nothing to do: everything is stored already but answers that may not be whole")
	case i.Totals.Messages == 0:
		p.Line("nothing to do: everything is stored already")
	case i.Applied:
		p.Line(cli.Styled(p.Styles.Good, i.applied()))
	default:
		p.Line("nothing was written; add --apply to write it")
	}
	for _, o := range []*cli.PlanResult{i.Compaction, i.Transplant} {
		if o != nil {
			p.Write("\n")
			o.Print(p)
		}
	}
}

// notes say what there is to say of single files.
func (i *importResults) notes(p *cli.Printer) {
	for _, f := range i.Files {
		for _, n := range f.Notes {
			p.Block("note: " + ui.Line(f.Path+": "+n))
		}
	}
	for _, n := range i.Notes {
		p.Block("note: " + ui.Line(n))
	}
}

// applied says which records the import has.
func (i *importResults) applied() string {
	var all []int64
	for _, f := range i.Files {
		all = append(all, f.Records...)
	}
	return cli.AppliedLine(all)
}

// targetName returns the conversation that a session file goes to.
func (f *importResult) targetName() string {
	switch {
	case f.Conversation == 0 && f.Archived:
		return "new, archived"
	case f.Conversation == 0:
		return "new"
	}
	s := strconv.FormatInt(f.Conversation, 10)
	if f.New {
		s += " new"
	}
	return s
}

// stopResult returns the result of an import that ended early.
func (i *importResults) stopResult(err error) (cli.Result, error) {
	i.total()
	i.Stopped = cli.StopReason(err)
	if !i.Applied {
		return i, err
	}
	kept := fmt.Sprintf("%s of %s are written", plural.Count(i.Totals.Messages, "message", "messages"), plural.Count(i.writtenFiles(), "session file", "session files"))
	return i, &outcome.Error{Reached: kept, Next: "what is written stays; the same command goes on from there", Err: err}
}

// writtenFiles returns of how many files something was written.
func (i *importResults) writtenFiles() (n int) {
	for _, f := range i.Files {
		if len(f.Records) > 0 {
			n++
		}
	}
	return n
}
