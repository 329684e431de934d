package cli

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"lcm-tui/data/destination"
	"lcm-tui/data/lcm"
	"lcm-tui/ops/bundle"
	"lcm-tui/ui"
)

// bundleFlags is the flags of bundle.
type bundleFlags struct {
	to, show, structure, logs textFlag
	force                     bool
}

func (a *app) bundle() *cobra.Command {
	b := &bundleFlags{to: textFlag{noun: "FILE.zip"}, show: textFlag{noun: "NAME"}, structure: textFlag{noun: "CONV"}, logs: textFlag{noun: "DIR"}}
	cmd := a.command(groupCare, "bundle", "Make the files of a bug report, without what anyone said", b.run)
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
	a.completeFlag(cmd, "with-structure", a.completeConversation)
	return cmd
}

func (b *bundleFlags) run(ctx context.Context, c *invocation) (result, error) {
	db, err := c.open(ctx)
	if err != nil {
		return nil, err
	}
	to, err := c.newFile(db, b.to.value)
	if err != nil {
		return nil, err
	}
	r := bundle.Request{Version: c.sys.version(), FilesDir: c.locations.FilesDir, LogFolder: b.logs.value, Settings: c.hostSettings(nil).Settings}
	if r.LogFolder == "" {
		r.LogFolder = filepath.Join(os.TempDir(), "openclaw")
	}
	if b.structure.value != "" {
		if r.Structure, err = c.conversation(ctx, "CONV", b.structure.value); err != nil {
			return nil, err
		}
		if _, err := lcm.ReadConversation(ctx, db, r.Structure); err != nil {
			return nil, unknownConversation(ctx, db, err)
		}
	}
	made, err := bundle.Make(ctx, db, r, c.progress())
	if err != nil {
		return nil, err
	}
	out := &bundleResult{Files: made.Entries}
	switch {
	case b.show.value != "":
		err = c.printEntry(made, b.show.value)
		return nil, errors.Join(err, made.Close())
	case b.to.value != "":
		out.To = &to
		out.Bytes, err = made.Write(ctx, to, b.mayReplace(ctx, c.destinations(db)))
	default:
		err = made.Check(ctx)
	}
	if err = errors.Join(err, made.Close()); errors.Is(err, fs.ErrExist) {
		return nil, &replaceableError{err}
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

// replaceableError is the refusal to write over a file, where that can be asked for.
type replaceableError struct{ err error }

func (e *replaceableError) Error() string { return "write " + e.err.Error() }

// Unwrap gives the cause.
func (e *replaceableError) Unwrap() error { return e.err }

// Hint says what to do instead.
func (*replaceableError) Hint() string { return "give another name, or --force to replace it" }

// printEntry prints a file of a bundle.
func (c *invocation) printEntry(made *bundle.Bundle, name string) error {
	r, err := made.Open(name)
	if err != nil {
		return err
	}
	defer r.Close()
	out := c.sys.Out
	if terminal(c.sys.Out) {
		out = controlEscaper{out}
	}
	_, err = io.Copy(out, r)
	return err
}

// bundleResult is the files of a bundle, and where it was written.
type bundleResult struct {
	To    *string        `json:"to"` // Null where nothing was written.
	Bytes int64          `json:"bytes"`
	Files []bundle.Entry `json:"files"`
	warningList
}

func (b *bundleResult) Print(p *printer) {
	rows := make([][]string, len(b.Files))
	for i, f := range b.Files {
		rows[i] = []string{f.Name, ui.Size(f.Bytes), f.About}
	}
	p.table([]column{{title: "file"}, {title: "size", right: true}, {title: "holds", grows: true}}, rows)
	p.write("\n")
	if b.To == nil {
		p.muted("nothing was written; --show NAME prints a file, --to FILE.zip writes them")
		return
	}
	p.line("bundle  " + ui.Line(*b.To))
	p.linef("size    %s; no secret was found in it", ui.Size(b.Bytes))
}
