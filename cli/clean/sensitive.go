package clean

import (
	"context"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/engine/redact"
	"lcm-tui/internal/plural"
	"lcm-tui/ops/backfill"
	sweep "lcm-tui/ops/secrets"
	"lcm-tui/ui"
)

// sensitiveFlags is for which projects a pattern holds.
type sensitiveFlags struct{ global bool }

func sensitiveCommand(a *cli.App) *cobra.Command {
	f := &sensitiveFlags{}
	cmd := a.Command(cli.GroupCare, "sensitive", "Say what models and contexts never get", f.run)
	cmd.Long = `Lists what is replaced by placeholders before a model is asked, and before something is put
into the context of an agent: what the rules of lcm-tui secrets find, the shapes that other
programs mask, and patterns of your own, those of all projects and those of the project of the
working folder.

add PATTERN adds a regular expression to the project, or with --global to all of them; remove
PATTERN takes one out. test TEXT shows a text with its placeholders, and what matched.

Stored texts stay as they are; lcm-tui secrets replaces them for good. Only add and remove
write, and only the file of patterns in your configuration.`
	cmd.Example = "  lcm-tui sensitive\n  lcm-tui sensitive add 'ACME-[0-9]{6}'\n  lcm-tui sensitive test 'the ticket is ACME-123456'\n  lcm-tui sensitive remove 'ACME-[0-9]{6}'"
	cmd.Flags().BoolVar(&f.global, "global", false, "a pattern of all projects, not of this one")
	return cmd
}

func (f *sensitiveFlags) run(_ context.Context, c *cli.Invocation) (cli.Result, error) {
	folder, err := c.Sys.Folder()
	if err != nil {
		return nil, err
	}
	config, project := cli.SecretConfig(c.Sys.Env), backfill.ProjectOf(folder)
	if f.global {
		project = ""
	}
	switch c.Action {
	case "add":
		added, err := config.AddPattern(project, c.Args[0])
		return &patternResult{Pattern: c.Args[0], Path: config.PatternFile(project), Changed: added, what: "added", not: "is there already"}, asUsage(err)
	case "remove":
		removed, err := config.RemovePattern(project, c.Args[0])
		if err == nil && !removed {
			return nil, cli.UsageErrorf("sensitive remove: %q is no pattern there; lcm-tui sensitive lists them", c.Args[0])
		}
		return &patternResult{Pattern: c.Args[0], Path: config.PatternFile(project), Changed: removed, what: "removed"}, err
	}
	masker, err := c.Sys.MaskerHere()
	if err != nil {
		return nil, err
	}
	if c.Action == "test" {
		return testText(masker, c.Args[0]), nil
	}
	patterns, err := config.Patterns(backfill.ProjectOf(folder))
	r := &sensitiveResult{Patterns: patterns, GlobalFile: config.PatternFile(""), ProjectFile: config.PatternFile(backfill.ProjectOf(folder))}
	for _, rule := range masker.Scanner.Rules() {
		if rule.About != sweep.PatternAbout {
			r.BuiltIn = append(r.BuiltIn, builtInRule{rule.ID, rule.About})
		}
	}
	return r, err
}

// asUsage returns an error of a pattern as one of the command line.
func asUsage(err error) error {
	if err == nil {
		return nil
	}
	return cli.UsageErrorf("sensitive add: %v", err)
}

// patternResult is what became of a pattern.
type patternResult struct {
	Pattern string `json:"pattern"`
	Path    string `json:"path"`
	Changed bool   `json:"changed"`
	cli.WarningList

	what, not string
}

// Print implements cli.Result.
func (r *patternResult) Print(p *cli.Printer) {
	if !r.Changed {
		p.Line(ui.Line(r.Pattern) + " " + r.not)
		return
	}
	p.Line(r.what + " " + ui.Line(r.Pattern) + " in " + ui.Line(r.Path))
}

// sensitiveResult is what is masked.
type sensitiveResult struct {
	BuiltIn []builtInRule `json:"built_in"`
	sweep.Patterns
	GlobalFile  string `json:"global_file"`
	ProjectFile string `json:"project_file"`
	cli.WarningList
}

// builtInRule is a rule of this program, or of the user's file of rules.
type builtInRule struct {
	ID    string `json:"id"`
	About string `json:"about"`
}

// Print implements cli.Result.
func (r *sensitiveResult) Print(p *cli.Printer) {
	p.Line(plural.Count(len(r.BuiltIn), "rule is", "rules are") + " built in or in secrets.toml; lcm-tui secrets rules lists them")
	for _, of := range []struct {
		name, file string
		patterns   []string
	}{{"all projects", r.GlobalFile, r.Global}, {"this project", r.ProjectFile, r.Project}} {
		p.Line(plural.Count(len(of.patterns), "pattern", "patterns") + " of " + of.name + ", in " + ui.Line(of.file))
		for _, pattern := range of.patterns {
			p.Line("  " + ui.Line(pattern))
		}
	}
}

// maskedText is a text as a model would get it.
type maskedText struct {
	Masked  string   `json:"masked"`
	Matched []string `json:"matched"` // The rules.
	cli.WarningList
}

// testText masks a text.
func testText(m redact.Masker, text string) *maskedText {
	r := &maskedText{Matched: []string{}}
	for _, f := range m.Scanner.Scan(text) {
		r.Matched = append(r.Matched, f.Rule)
	}
	r.Masked, _ = m.Mask(text)
	return r
}

// Print implements cli.Result.
func (r *maskedText) Print(p *cli.Printer) {
	p.Block(ui.Sanitize(r.Masked))
	for _, rule := range r.Matched {
		p.Line("matched " + ui.Line(rule))
	}
	if len(r.Matched) == 0 {
		p.Line("nothing in it is masked")
	}
}
