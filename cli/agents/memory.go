package agents

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/data/promoted"
	"lcm-tui/ops/promote"
	"lcm-tui/ui"
)

// memoryFlags is which entries are listed, or what becomes of them.
type memoryFlags struct {
	project, file cli.TextFlag
	tags          cli.RepeatedWords
	limit         *cli.IntegerFlag
	archived      bool
	apply, dry    bool
}

func memoryCommand(a *cli.App) *cobra.Command {
	f := &memoryFlags{project: cli.TextFlag{Noun: "NAME"}, file: cli.TextFlag{Noun: "FILE"}, tags: cli.RepeatedWords{Noun: "TAG", Whole: true}, limit: cli.AtLeast(1, "N")}
	cmd := a.Command(cli.GroupAgents, "memory", "List, search and change the entries of promoted memory", f.run)
	cmd.Long = `Lists the entries of promoted memory, newest first. search QUERY finds those with any of the
words, the best first. show ENTRY shows one with its whole text and where it came from. edit
ENTRY replaces its text by that of --file. archive takes entries out of use, and unarchive back
into it; nothing is deleted.

--db FILE lists and searches the entries of a database of lossless-claude as well, and changes
none. import takes them over: those of the databases that are named, else of all of
lossless-claude on this machine. Each gets the project that its folder names, or --project.

Listing writes nothing. import, edit, archive and unarchive show what they would change, and
write with --apply; lcm-tui undo undoes it.`
	cmd.Example = "  lcm-tui memory\n  lcm-tui memory search deploy mirror\n  lcm-tui memory archive mem_1a2b3c4d5e6f7a8b --apply"
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.Var(&f.project, "project", "only entries of this project, and of all projects")
	fs.Var(&f.tags, "tag", "only entries with this tag; repeatable")
	fs.BoolVar(&f.archived, "archived", false, "also archived entries")
	fs.Var(f.limit, "limit", "the most entries that search finds (default 5)")
	fs.Var(&f.file, "file", "the new text, or - for standard input")
	fs.BoolVar(&f.apply, "apply", false, "write the change")
	fs.BoolVar(&f.dry, "dry-run", false, "only show what would change (the default)")
	return cmd
}

// The actions of memory.
const (
	searchAction    = "search"
	showAction      = "show"
	editAction      = "edit"
	archiveAction   = "archive"
	unarchiveAction = "unarchive"
)

func (f *memoryFlags) run(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	c.OwnDatabase = true
	db, err := c.Open(ctx)
	if err != nil {
		return nil, err
	}
	all, err := promoted.List(ctx, db)
	if err != nil {
		return nil, err
	}
	r := &memoryResult{Entries: []promoted.Hit{}}
	switch c.Action {
	case editAction, archiveAction, unarchiveAction:
		return f.change(ctx, c)
	case importAction:
		return f.imports(ctx, c)
	case searchAction:
		x, err := promoted.NewIndex(ctx, all)
		if err != nil {
			return nil, err
		}
		defer x.Close()
		limit := 5
		if f.limit.IsSet {
			limit = int(f.limit.Value)
		}
		r.ranked = true
		r.Entries, err = x.Search(ctx, strings.Join(c.Args, " "), limit, f.accept)
		return r, err
	case showAction:
		found := promoted.Find(all, c.Args[0])
		if len(found) != 1 {
			return nil, cli.UsageErrorf("%d entries have an id that begins with %q; lcm-tui memory --archived lists them", len(found), c.Args[0])
		}
		return &memoryEntry{Entry: found[0]}, nil
	}
	for _, e := range all {
		if f.accept(e) {
			r.Entries = append(r.Entries, promoted.Hit{Entry: e})
		}
	}
	return r, nil
}

// accept reports whether an entry is listed.
func (f *memoryFlags) accept(e promoted.Entry) bool {
	return (f.archived || !e.IsArchived()) && (f.project.Value == "" || e.Project == f.project.Value || e.Project == "") && e.Has(f.tags.Values)
}

// change changes entries.
func (f *memoryFlags) change(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	o := &promote.Change{IDs: c.Args, Archive: c.Action == archiveAction}
	if c.Action == editAction {
		if f.file.Value == "" {
			return nil, cli.UsageErrorf("memory edit: expected --file FILE with the new text, or - for standard input")
		}
		text, err := cli.ReadText(c.Sys.In, f.file.Value)
		if err != nil {
			return nil, err
		}
		o.Text = text
	}
	return c.Perform(ctx, o, f.apply)
}

// memoryResult is entries of promoted memory.
type memoryResult struct {
	Entries []promoted.Hit `json:"entries"`
	cli.WarningList

	ranked bool
}

// snippet is how much of a text a list shows, in cells.
const snippet = 200

// Print implements cli.Result.
func (r *memoryResult) Print(p *cli.Printer) {
	if len(r.Entries) == 0 {
		p.Line("no entries; lcm-tui promote --all makes them of summaries, and lcm-tui store of a text")
		return
	}
	for _, e := range r.Entries {
		about := []string{e.ID, ui.Line(e.CreatedAt.Raw), ui.Line(projectText(e.Project))}
		if len(e.Tags) > 0 {
			about = append(about, ui.Line(strings.Join(e.Tags, ", ")))
		}
		if e.IsArchived() {
			about = append(about, "archived")
		}
		p.Muted(ui.Line(strings.Join(about, " · ")))
		p.Line("    " + ui.Cut(ui.Line(e.Content), snippet))
	}
}

// projectText returns how a project is shown.
func projectText(name string) string {
	if name == "" {
		return allProjects
	}
	return name
}

// memoryEntry is one entry.
type memoryEntry struct {
	promoted.Entry
	cli.WarningList
}

// Print implements cli.Result.
func (e *memoryEntry) Print(p *cli.Printer) {
	p.Title(e.ID)
	p.Linef("project     %s", ui.Line(projectText(e.Project)))
	p.Linef("tags        %s", ui.Line(strings.Join(e.Tags, " ")))
	p.Linef("confidence  %.2f", e.Confidence)
	p.Linef("created     %s", e.CreatedAt.Raw)
	if e.Summary != "" {
		p.Linef("made of     %s, depth %d", ui.Line(e.Summary), e.Depth)
	}
	if e.IsArchived() {
		p.Line(strings.TrimSpace("archived    " + e.ArchivedAt.Raw + " " + supersededText(e.Superseded)))
	}
	p.Write("\n")
	p.Block(ui.Sanitize(e.Content))
}

// supersededText says which entry took the place of one.
func supersededText(by string) string {
	if by == "" {
		return ""
	}
	return "by " + ui.Line(by)
}
