package clean

import (
	"context"
	"errors"
	"io"
	"io/fs"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/data/destination"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/hint"
	"lcm-tui/ops/bundle"
	"lcm-tui/ui"
)

// bundleFlags is the flags of bundle.
type bundleFlags struct {
	to, show, structure, logs cli.TextFlag
	force                     bool
}

func bundleCommand(a *cli.App) *cobra.Command {
	b := &bundleFlags{to: cli.TextFlag{Noun: "FILE.zip"}, show: cli.TextFlag{Noun: "NAME"}, structure: cli.TextFlag{Noun: "CONV"}, logs: cli.TextFlag{Noun: "DIR"}}
	cmd := a.Command(cli.GroupCare, "bundle", "Make the files of a bug report, without what anyone said", b.run)
	cmd.Long = `Makes the files of a bug report: versions, the doctor's findings, settings, the schema, sizes,
and the shape of conversations, contexts and summaries. No text of a message, a summary, a file
or a tool is in it, and no path; session keys are replaced. Without --to it only lists the
files; --show prints one of them.

Every file is searched for secrets before the zip file is written; a secret that is found keeps
it from being written. Writes only the zip file, which is private to you; --force replaces
nothing but a bundle.`
	cmd.Example = `# What would be sent?
lcm-tui bundle
lcm-tui bundle --show timeline.json | less
# Write it:
lcm-tui bundle --to report.zip
# With a copy of conversation 12 whose texts are made up, of the same lengths:
lcm-tui bundle --to structure.zip --with-structure 12`
	cmd.ValidArgsFunction = nil
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.Var(&b.to, "to", "the new zip file")
	fs.Var(&b.show, "show", "print this file of the bundle")
	fs.Var(&b.structure, "with-structure", "add a copy of this conversation whose texts are made up")
	fs.Var(&b.logs, "logs", "the folder of the host's logs (default: openclaw in the folder of temporary files)")
	fs.BoolVar(&b.force, "force", false, "replace the bundle that --to names")
	a.CompleteFlag(cmd, "with-structure", a.CompleteConversation)
	return cmd
}

func (b *bundleFlags) run(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	db, err := c.Open(ctx)
	if err != nil {
		return nil, err
	}
	to, err := c.NewFile(db, b.to.Value)
	if err != nil {
		return nil, err
	}
	r := bundle.Request{Version: c.Sys.VersionText(), FilesDir: c.Locations.FilesDir, LogFolder: b.logs.Value, Settings: c.HostSettings(nil).Settings}
	if r.LogFolder == "" {
		r.LogFolder = bundle.DefaultLogFolder()
	}
	if b.structure.Value != "" {
		if r.Structure, err = c.Conversation(ctx, "CONV", b.structure.Value); err != nil {
			return nil, err
		}
		if _, err := lcm.ReadConversation(ctx, db, r.Structure); err != nil {
			return nil, cli.UnknownConversation(ctx, db, err)
		}
	}
	made, err := bundle.Make(ctx, db, r, c.Progress())
	if err != nil {
		return nil, err
	}
	out := &bundleResult{Files: made.Entries}
	switch {
	case b.show.Value != "":
		err = printEntry(c, made, b.show.Value)
		return nil, errors.Join(err, made.Close())
	case b.to.Value != "":
		out.To = &to
		out.Bytes, err = made.Write(ctx, to, b.mayReplace(ctx, c.Destinations(db)))
	default:
		err = made.Check(ctx)
	}
	if err = errors.Join(err, made.Close()); errors.Is(err, fs.ErrExist) {
		return nil, &hint.Error{Text: "write " + err.Error(), Next: "give another name, or --force to replace it", Err: err}
	}
	return out, err
}

// mayReplace says whether the file that --to names may be replaced; it is nil without --force.
func (b *bundleFlags) mayReplace(ctx context.Context, p *destination.Policy) func(path string) error {
	if !b.force {
		return nil
	}
	return func(path string) error { return p.CheckReplaced(ctx, path) }
}

// printEntry prints a file of a bundle.
func printEntry(c *cli.Invocation, made *bundle.Bundle, name string) error {
	r, err := made.Open(name)
	if err != nil {
		return err
	}
	defer r.Close()
	out := c.Sys.Out
	if cli.IsTerminal(c.Sys.Out) {
		out = cli.ControlEscaper{To: out}
	}
	_, err = io.Copy(out, r)
	return err
}

// bundleResult is the files of a bundle, and where it was written.
type bundleResult struct {
	To    *string        `json:"to"` // Null where nothing was written.
	Bytes int64          `json:"bytes"`
	Files []bundle.Entry `json:"files"`
	cli.WarningList
}

func (b *bundleResult) Print(p *cli.Printer) {
	rows := make([][]string, len(b.Files))
	for i, f := range b.Files {
		rows[i] = []string{f.Name, ui.Size(f.Bytes), f.About}
	}
	p.Table([]cli.Column{{Title: "file"}, {Title: "size", Right: true}, {Title: "holds", Grows: true}}, rows)
	p.Write("\n")
	if b.To == nil {
		p.Muted("nothing was written; --show NAME prints a file, --to FILE.zip writes them")
		return
	}
	p.Line("bundle  " + ui.Line(*b.To))
	p.Linef("size    %s; no secret was found in it", ui.Size(b.Bytes))
}
