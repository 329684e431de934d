package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"github.com/spf13/cobra"

	"lcm-tui/ops"
	"lcm-tui/prompts"
	"lcm-tui/ui"
)

// promptFlags is what prompts is asked for.
type promptFlags struct {
	folder textFlag
	force  bool
	render renderFlags
	// The reference program's flags, which stand for the actions.
	list                        bool
	export, show, diff, renders textFlag
}

// renderFlags are the variables of a template.
type renderFlags struct {
	depth, target, children          *integerFlag
	previous, span, source, operator textFlag
}

var promptActions = []string{"list", "show", "export", "diff", "render"}

// userFolder stands for --export without a folder.
const userFolder = "-"

func (a *app) prompts() *cobra.Command {
	q := &promptFlags{folder: textFlag{noun: "DIR"}}
	cmd := a.command(groupOther, "prompts [ACTION] [NAME]", "Show, export and test the prompts for summaries", q.run)
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
	r.depth, r.target, r.children = atLeast(-1, "N").preset(-1), atLeast(1, "N").preset(2000), atLeast(0, "N").preset(4)
	r.previous, r.span, r.operator = textFlag{noun: "TEXT"}, textFlag{noun: "TEXT"}, textFlag{noun: "TEXT"}
	r.source = textFlag{noun: "TEXT"}
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
	for name, to := range map[string]*textFlag{"export": &q.export, "show": &q.show, "diff": &q.diff, "render": &q.renders} {
		to.noun = "NAME"
		fs.Var(to, name, "the same as the action "+name)
	}
	fs.Lookup("export").NoOptDefVal = userFolder
	for _, name := range promptActions {
		fs.Lookup(name).Hidden = true
	}
}

func (q *promptFlags) run(_ context.Context, c *invocation) (result, error) {
	action, name, err := q.request(c.args)
	if err != nil {
		return nil, err
	}
	if action == "export" {
		return q.write(c, name)
	}
	set, err := prompts.Open(q.folder.value, c.sys.Env)
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

// request is the action and what it is about, from the arguments or from the
// flags of the reference program.
func (q *promptFlags) request(args []string) (action, name string, err error) {
	given := map[string]string{"export": q.export.value, "show": q.show.value, "diff": q.diff.value, "render": q.renders.value}
	if q.list {
		given["list"] = userFolder
	}
	for _, a := range promptActions {
		if given[a] == "" {
			continue
		}
		if action != "" {
			return "", "", usageErrorf("--%s and --%s exclude each other", action, a)
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
		return "", "", usageErrorf("expected %s, not %q%s", strings.Join(promptActions, ", "), action, didYouMean(action, "", promptActions))
	}
	if len(args) > 0 && name == "" && action != "list" {
		name, args = args[0], nil
	}
	if len(args) > 0 {
		return "", "", usageErrorf("prompts %s: %q is one too many", action, args[0])
	}
	return action, name, nil
}

// checkTemplate holds a name against the templates there are.
func checkTemplate(action, name string) error {
	all := prompts.Names()
	switch {
	case name == "" && (action == "show" || action == "render"):
		return usageErrorf("prompts %s: expected the name of a template: %s", action, strings.Join(all, ", "))
	case name != "" && !slices.Contains(all, name):
		return usageErrorf("there is no template %q; expected %s%s", name, strings.Join(all, ", "), didYouMean(name, "", all))
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
		TargetTokens: int(r.target.value), ChildCount: int(r.children.value), Depth: max(0, prompts.Depth(name)),
		PreviousContext: r.previous.value, TimeRange: r.span.value, SourceText: r.source.value, CustomInstructions: r.operator.value,
	}
	if r.depth.value >= 0 {
		v.Depth = int(r.depth.value)
	}
	if v.TimeRange == "" {
		v.TimeRange = exampleRange
	}
	if v.SourceText == "" {
		v.SourceText = exampleSource
	}
	return v
}

func (q *promptFlags) write(c *invocation, folder string) (result, error) {
	if folder == "" {
		folder = prompts.UserFolder(c.sys.Env)
	}
	if folder == "" {
		return nil, usageErrorf("prompts export: expected a folder; there is no home to write to")
	}
	if _, err := checkedPath(c.closedDestinations(), folder); err != nil {
		return nil, err
	}
	paths, err := prompts.Export(folder, q.force)
	c.partial = err != nil && len(paths) > 0
	return &promptExport{Files: append([]string{}, paths...)}, err
}

// differing are the templates that differ from those built in, or the one that is
// flagOrArgument.
func differing(set *prompts.Set, name string) (result, error) {
	all, err := set.List()
	if err != nil {
		return nil, err
	}
	r := &promptDiff{Diffs: []templateDiff{}}
	for _, t := range all {
		if (name == "" || name == t.Name) && t.Text != t.Builtin {
			r.Diffs = append(r.Diffs, templateDiff{t.Name, t.Path, udiff.Unified("built in", t.Name, endLine(t.Builtin), endLine(t.Text)), t})
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
	warningList
}

func (l *promptList) Print(p *printer) {
	rows := make([][]string, len(l.Templates))
	for i, t := range l.Templates {
		from := "built in"
		if t.Custom() {
			from = ui.Line(t.Path)
		}
		rows[i] = []string{t.Name, from, t.About}
	}
	p.table([]column{{title: "name"}, {title: "from", grows: true}, {title: "for", style: p.styles.Muted, spare: true}}, rows)
}

// promptText is the result of prompts show.
type promptText struct {
	prompts.Template
	warningList
}

func (t *promptText) Print(p *printer) { p.write(endLine(ui.Sanitize(t.Text))) }

// renderedPrompt is the result of prompts render.
type renderedPrompt struct {
	Name string `json:"name"`
	Text string `json:"text"`
	warningList
}

func (r *renderedPrompt) Print(p *printer) { p.write(endLine(ui.Sanitize(r.Text))) }

// promptExport is the result of prompts export.
type promptExport struct {
	Files []string `json:"files"`
	warningList
}

func (e *promptExport) Print(p *printer) {
	for _, f := range e.Files {
		p.write(ui.Line(f) + "\n")
	}
}

// promptDiff is the result of prompts diff.
type promptDiff struct {
	Diffs []templateDiff `json:"diffs"`
	warningList
}

// templateDiff is how one template differs from the one that is built in.
type templateDiff struct {
	Name     string `json:"name"`
	Path     string `json:"path"`
	Diff     string `json:"diff"`
	template prompts.Template
}

func (d *promptDiff) Print(p *printer) {
	if len(d.Diffs) == 0 {
		p.line("the templates in force are those built in")
	}
	for _, t := range d.Diffs {
		p.textDiff(ops.Text{ID: t.Name, Before: t.template.Builtin, After: t.template.Text})
	}
}
