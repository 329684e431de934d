package agents

import (
	"context"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/ops"
	"lcm-tui/prompts"
	"lcm-tui/ui"
)

// promptFlags is what prompts is asked for.
type promptFlags struct {
	folder cli.TextFlag
	force  bool
	render renderFlags
	// The reference program's flags, which stand for the actions.
	list                        bool
	export, show, diff, renders cli.TextFlag
}

// renderFlags are the variables of a template.
type renderFlags struct {
	depth, target, children          *cli.IntegerFlag
	previous, span, source, operator cli.TextFlag
}

var promptActions = []string{"list", "show", "export", "diff", "render"}

// userFolder stands for --export without a folder.
const userFolder = "-"

func promptsCommand(a *cli.App) *cobra.Command {
	q := &promptFlags{folder: cli.TextFlag{Noun: "DIR"}}
	cmd := a.Command(cli.GroupOther, "prompts [ACTION] [NAME]", "Show, export and test the prompts for summaries", q.run)
	cmd.Long = `Shows, exports and tests the templates of the prompts for summaries. ACTION is list,
show NAME, diff [NAME], render NAME or export [DIR].

A file NAME.tmpl of yours replaces the template of that name. It is looked for in
--prompt-dir, in LCM_PROMPT_DIR, and in lcm-tui/prompts in your configuration folder.

Only export writes: it creates these files, and replaces existing ones only with --force.`
	cmd.Example = `  lcm-tui prompts
  lcm-tui prompts export ~/my-prompts
  lcm-tui prompts diff --prompt-dir ~/my-prompts
  lcm-tui prompts render leaf --target-tokens 800`
	cmd.ValidArgsFunction = completePrompts
	fs := cmd.Flags()
	fs.Var(&q.folder, "prompt-dir", "a folder with your own templates")
	fs.BoolVar(&q.force, "force", false, "with export: replace files that exist")
	q.render.bind(cmd)
	q.bindPeer(cmd)
	return cmd
}

func (r *renderFlags) bind(cmd *cobra.Command) {
	r.depth, r.target, r.children = cli.AtLeast(-1, "N").Preset(-1), cli.AtLeast(1, "N").Preset(2000), cli.AtLeast(0, "N").Preset(4)
	r.previous, r.span, r.operator = cli.TextFlag{Noun: "TEXT"}, cli.TextFlag{Noun: "TEXT"}, cli.TextFlag{Noun: "TEXT"}
	r.source = cli.TextFlag{Noun: "TEXT"}
	fs := cmd.Flags()
	fs.Var(r.target, "target-tokens", "with render: the size of the summary in tokens")
	fs.Var(r.depth, "depth", "with render: the depth of the summary (-1: that of the template)")
	fs.Var(r.children, "child-count", "with render: the number of messages or summaries")
	fs.Var(&r.span, "time-range", "with render: the range of time that they cover")
	fs.Var(&r.previous, "previous-context", "with render: the previous summary")
	fs.Var(&r.source, "source-text", "with render: the text to summarize (default: an example)")
	fs.Var(&r.operator, "custom-instructions", "with render: the instructions of the operator")
}

// bindPeer binds the flags by which the reference program names the actions.
func (q *promptFlags) bindPeer(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.BoolVar(&q.list, "list", false, "the same as the action list")
	for name, to := range map[string]*cli.TextFlag{"export": &q.export, "show": &q.show, "diff": &q.diff, "render": &q.renders} {
		to.Noun = "NAME"
		fs.Var(to, name, "the same as the action "+name)
	}
	fs.Lookup("export").NoOptDefVal = userFolder
	for _, name := range promptActions {
		fs.Lookup(name).Hidden = true
	}
}

func (q *promptFlags) run(_ context.Context, c *cli.Invocation) (cli.Result, error) {
	action, name, err := q.request(c.Args)
	if err != nil {
		return nil, err
	}
	if action == "export" {
		return q.write(c, name)
	}
	set, err := prompts.Open(q.folder.Value, c.Sys.Env)
	if err != nil {
		return nil, err
	}
	name = strings.TrimSuffix(name, ".tmpl")
	if err := checkTemplate(action, name); err != nil {
		return nil, err
	}
	switch action {
	case "show":
		t, err := set.Show(name)
		return &promptText{Template: t}, err
	case "diff":
		return differing(set, name)
	case "render":
		text, err := set.Render(name, q.render.vars(name))
		return &renderedPrompt{Name: name, Text: text}, err
	}
	all, err := set.List()
	return &promptList{Templates: all, Folders: append([]string{}, set.Folders()...)}, err
}

// request returns the action and what it is about, from the arguments or from the
// flags of the reference program.
func (q *promptFlags) request(args []string) (action, name string, err error) {
	given := map[string]string{"export": q.export.Value, "show": q.show.Value, "diff": q.diff.Value, "render": q.renders.Value}
	if q.list {
		given["list"] = userFolder
	}
	for _, a := range promptActions {
		if given[a] == "" {
			continue
		}
		if action != "" {
			return "", "", cli.UsageErrorf("--%s and --%s exclude each other", action, a)
		}
		action, name = a, given[a]
		if name == userFolder {
			name = ""
		}
	}
	switch {
	case action == "" && len(args) == 0:
		return "list", "", nil
	case action == "":
		action, args = args[0], args[1:]
	}
	if !slices.Contains(promptActions, action) {
		return "", "", cli.UsageErrorf("expected %s, not %q%s", strings.Join(promptActions, ", "), action, cli.DidYouMean(action, "", promptActions))
	}
	if len(args) > 0 && name == "" && action != "list" {
		name, args = args[0], nil
	}
	if len(args) > 0 {
		return "", "", cli.UsageErrorf("prompts %s: %q is one too many", action, args[0])
	}
	return action, name, nil
}

// checkTemplate holds a name against the templates there are.
func checkTemplate(action, name string) error {
	all := prompts.Names()
	switch {
	case name == "" && (action == "show" || action == "render"):
		return cli.UsageErrorf("prompts %s: expected the name of a template: %s", action, strings.Join(all, ", "))
	case name != "" && !slices.Contains(all, name):
		return cli.UsageErrorf("there is no template %q; expected %s%s", name, strings.Join(all, ", "), cli.DidYouMean(name, "", all))
	}
	return nil
}

// The variables of a template that is only tried.
const (
	exampleRange  = "2026-03-02 09:00 UTC - 2026-03-02 10:30 UTC"
	exampleSource = `[2026-03-02 09:00 UTC | user]
The nightly backup failed again. Can you find out why?

[2026-03-02 09:04 UTC | assistant]
The disk of backup-2 is full: 98% of it are logs. I moved logrotate from weekly to daily in deploy/logs.conf.`
)

func (r *renderFlags) vars(name string) prompts.Vars {
	v := prompts.Vars{
		TargetTokens: int(r.target.Value), ChildCount: int(r.children.Value), Depth: max(0, prompts.Depth(name)),
		PreviousContext: r.previous.Value, TimeRange: r.span.Value, SourceText: r.source.Value, CustomInstructions: r.operator.Value,
	}
	if r.depth.Value >= 0 {
		v.Depth = int(r.depth.Value)
	}
	if v.TimeRange == "" {
		v.TimeRange = exampleRange
	}
	if v.SourceText == "" {
		v.SourceText = exampleSource
	}
	return v
}

func (q *promptFlags) write(c *cli.Invocation, folder string) (cli.Result, error) {
	if folder == "" {
		folder = prompts.UserFolder(c.Sys.Env)
	}
	if folder == "" {
		return nil, cli.UsageErrorf("prompts export: expected a folder; there is no home to write to")
	}
	if _, err := cli.CheckedPath(c.ClosedDestinations(), folder); err != nil {
		return nil, err
	}
	paths, err := prompts.Export(folder, q.force)
	c.Partial = err != nil && len(paths) > 0
	return &promptExport{Files: append([]string{}, paths...)}, err
}

// differing returns the templates that differ from those built in, or the one that is
// flagOrArgument.
func differing(set *prompts.Set, name string) (cli.Result, error) {
	all, err := set.List()
	if err != nil {
		return nil, err
	}
	r := &promptDiff{Diffs: []templateDiff{}}
	for _, t := range all {
		if (name == "" || name == t.Name) && t.Text != t.Builtin {
			r.Diffs = append(r.Diffs, templateDiff{t.Name, t.Path, udiff.Unified("built in", t.Name, cli.EndLine(t.Builtin), cli.EndLine(t.Text)), t})
		}
	}
	return r, nil
}

// completePrompts completes the action, and then the names of templates.
func completePrompts(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	switch {
	case len(args) == 0:
		return promptActions, cobra.ShellCompDirectiveNoFileComp
	case len(args) > 1 || args[0] == "list":
		return nil, cobra.ShellCompDirectiveNoFileComp
	case args[0] == "export":
		return nil, cobra.ShellCompDirectiveFilterDirs
	}
	return prompts.Names(), cobra.ShellCompDirectiveNoFileComp
}

// promptList is the result of prompts list.
type promptList struct {
	Templates []prompts.Template `json:"templates"`
	Folders   []string           `json:"folders"`
	cli.WarningList
}

func (l *promptList) Print(p *cli.Printer) {
	rows := make([][]string, len(l.Templates))
	for i, t := range l.Templates {
		from := "built in"
		if t.Custom() {
			from = ui.Line(t.Path)
		}
		rows[i] = []string{t.Name, from, t.About}
	}
	p.Table([]cli.Column{{Title: "name"}, {Title: "from", Grows: true}, {Title: "for", Style: p.Styles.Muted, Spare: true}}, rows)
}

// promptText is the result of prompts show.
type promptText struct {
	prompts.Template
	cli.WarningList
}

func (t *promptText) Print(p *cli.Printer) { p.Write(cli.EndLine(ui.Sanitize(t.Text))) }

// renderedPrompt is the result of prompts render.
type renderedPrompt struct {
	Name string `json:"name"`
	Text string `json:"text"`
	cli.WarningList
}

func (r *renderedPrompt) Print(p *cli.Printer) { p.Write(cli.EndLine(ui.Sanitize(r.Text))) }

// promptExport is the result of prompts export.
type promptExport struct {
	Files []string `json:"files"`
	cli.WarningList
}

func (e *promptExport) Print(p *cli.Printer) {
	for _, f := range e.Files {
		p.Write(ui.Line(f) + "\n")
	}
}

// promptDiff is the result of prompts diff.
type promptDiff struct {
	Diffs []templateDiff `json:"diffs"`
	cli.WarningList
}

// templateDiff is how one template differs from the one that is built in.
type templateDiff struct {
	Name     string `json:"name"`
	Path     string `json:"path"`
	Diff     string `json:"diff"`
	template prompts.Template
}

func (d *promptDiff) Print(p *cli.Printer) {
	if len(d.Diffs) == 0 {
		p.Line("the templates in force are those built in")
	}
	for _, t := range d.Diffs {
		p.TextDiff(ops.Text{ID: t.Name, Before: t.template.Builtin, After: t.template.Text})
	}
}
