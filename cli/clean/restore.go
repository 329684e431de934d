package clean

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/plural"
	"lcm-tui/ops/restore"
	"lcm-tui/ui"
)

// restorePreview is the result of restore without --apply.
type restorePreview struct {
	restore.Preview
	Applied bool `json:"applied"`
	cli.WarningList
}

// restoreResult is the result of restore.
type restoreResult struct {
	restore.Result
	Applied bool `json:"applied"`
	cli.WarningList
}

// restoreFlags are the flags of restore.
type restoreFlags struct{ apply, atBackup, force bool }

func restoreCommand(a *cli.App) *cobra.Command {
	var f restoreFlags
	var dry bool
	cmd := a.Command(cli.GroupCare, "restore BACKUP", "Put a backup in the place of the database", func(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
		return restoreFile(ctx, c, f)
	})
	cmd.Long = `Puts a backup in the place of the database: checks the backup, copies what is there now,
has SQLite replace the pages in one transaction, and compares them with the backup. Without
--apply it only shows what would change: what differs, what the host will store again from its
transcripts, and what is lost for good. It writes nothing to the backup.

The host must be stopped. When it starts again it catches up by itself: what came since the
backup is read from the transcripts once more, except with --at-backup. A host of 1.0 reads it
from its own database of sessions; nothing in the file can keep it from that, so --at-backup is
refused there. Summaries that were made since are gone, and compaction is paid for again.

There is no record to undo. The way back is the copy that was made before; its name is printed.`
	cmd.Example = `  lcm-tui restore lcm.db.lcm-tui-20260801T120000Z.bak
  lcm-tui restore before-cleanup.db --apply`
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.BoolVar(&f.apply, "apply", false, "replace the database")
	flags.BoolVar(&dry, "dry-run", false, "only show what would change (the default)")
	flags.BoolVar(&f.atBackup, "at-backup", false, "keep the host from reading what came since from its transcripts")
	flags.BoolVar(&f.force, "force", false, "restore beside a host, on a network drive, or from a slice or a file of the trash")
	cmd.ValidArgsFunction = nil
	return cmd
}

func restoreFile(ctx context.Context, c *cli.Invocation, f restoreFlags) (cli.Result, error) {
	locations, misconfigured := c.Locate()
	live := locations.Database
	if misconfigured != nil && live == "" {
		return nil, misconfigured
	}
	b, err := restore.OpenBackup(ctx, c.Args[0], live, f.force, c.Progress())
	if errors.Is(err, data.ErrMissing) {
		err = missingBackup(err, live)
	}
	if err != nil {
		return nil, err
	}
	defer b.Close()
	if !f.apply {
		p, err := restore.Plan(ctx, b, live, f.atBackup, c.Progress())
		if err != nil {
			return nil, err
		}
		return &restorePreview{Preview: p}, nil
	}
	r, err := restore.Apply(ctx, restore.Request{Backup: b, Live: live, AtBackup: f.atBackup, Force: f.force, Now: b.Now}, c.Progress())
	if err != nil {
		return nil, err
	}
	return &restoreResult{Result: r, Applied: true}, nil
}

// missingBackup adds to an error about a backup that isn't there those beside the database, the newest first.
func missingBackup(err error, live string) error {
	backups, _ := data.Backups(live) // Without its folder there are none.
	if len(backups) == 0 {
		return hint.Wrap(err, "there is no backup beside "+live+"; give the path of one, such as lcm-tui backup makes")
	}
	slices.SortFunc(backups, func(a, b data.BackupFile) int { return b.ModifiedAt.Compare(a.ModifiedAt) })
	const most = 5
	var list strings.Builder
	list.WriteString("there are these backups:\n")
	for _, b := range backups[:min(len(backups), most)] {
		fmt.Fprintf(&list, "%s  %s, %s\n", b.Path, ui.Size(b.Bytes), b.ModifiedAt.Format(time.DateTime))
	}
	return hint.Wrap(err, list.String())
}

func (r *restorePreview) Print(p *cli.Printer) {
	p.Fact("database", fmt.Sprintf("%s (%s)", ui.Line(r.Live), describeLive(r)))
	p.Fact("backup", fmt.Sprintf("%s (%s, %s)", ui.Line(r.Backup), r.BackupKind, ui.Size(r.BackupBytes)))
	if r.Method == restore.MethodFiles {
		p.Block("the database can't be opened, so it is renamed and a copy of the backup gets its name")
	}
	for _, name := range r.InUseBy {
		p.Block(cli.Styled(p.Styles.Warn, "open in "+ui.Line(name)+": stop it before"))
	}
	p.Write("\n")
	if r.Differences != nil {
		r.printDifferences(p)
	}
	if len(r.Transcripts) > 0 {
		p.Title("what hosts read again from transcripts when they start")
	}
	for _, t := range r.Transcripts {
		if t.Why != "" {
			p.Linef("  conversation %d: %s: %s", t.Conversation, t.Why, ui.Line(t.Path))
			continue
		}
		p.Linef("  conversation %d: the host stores again what is in the last %s of %s", t.Conversation, ui.Size(t.Bytes), ui.Line(t.Path))
	}
	printCheckpoints(p, r.Checkpoints)
	printNotes(p, r.Notes)
	p.Muted("nothing was written; --apply replaces the database")
}

// describeLive says what the live database is.
func describeLive(r *restorePreview) string {
	if r.LiveProblem != "" {
		return r.LiveProblem
	}
	return r.LiveKind + ", " + ui.Size(r.LiveBytes)
}

// printDifferences prints what the restore changes in the live database.
func (r *restorePreview) printDifferences(p *cli.Printer) {
	p.Linef("%s", plural.Count(len(r.Differences.Conversations), "conversation differs", "conversations differ"))
	shown := *r.Differences
	shown.Conversations = shown.Conversations[:min(len(shown.Conversations), maxListed)]
	if len(shown.Conversations) > 0 {
		p.DiffConversations(&shown)
	}
	if n := len(r.Differences.Conversations) - len(shown.Conversations); n > 0 {
		p.Muted("and " + ui.Num(int64(n)) + " more")
	}
	p.Write("\n")
	l := r.Lost
	p.Linef("lost for good: %s, %s, %s, %s; %s can't be undone any more", plural.Count(l.Conversations, "conversation", "conversations"),
		plural.Count(l.Messages, "message", "messages"), plural.Count(l.Summaries, "summary", "summaries"),
		plural.Count(l.FocusBriefs, "focus brief", "focus briefs"), plural.Count(l.Records, "change of this program", "changes of this program"))
}

// maxListed is how many conversations are listed for people.
const maxListed = 20

func printCheckpoints(p *cli.Printer, all []restore.Checkpoint) {
	for _, c := range all {
		if c.Detached {
			p.Linef("  conversation %d is detached from its transcript: %s", c.Conversation, c.Why)
			continue
		}
		p.Linef("  conversation %d: the host goes on at the end of %s", c.Conversation, ui.Line(c.Transcript))
	}
}

func (r *restoreResult) Print(p *cli.Printer) {
	p.Fact("restored", ui.Line(r.Live))
	p.Fact("from", ui.Line(r.Backup))
	rows := int64(0)
	for _, n := range r.Tables {
		rows += n
	}
	p.Linef("it has %s in %s", plural.Count(rows, "row", "rows"), plural.Count(len(r.Tables), "table", "tables"))
	if r.EqualPages > 0 {
		p.Linef("compared with the backup: %s are equal", plural.Count(r.EqualPages, "page", "pages"))
	}
	if r.Records > 0 {
		p.Linef("%s can't be undone any more", plural.Count(r.Records, "change of this program", "changes of this program"))
	}
	printCheckpoints(p, r.Checkpoints)
	printNotes(p, r.Notes)
	switch {
	case r.Saved == "":
	case r.SavedDamaged:
		p.Block("the damaged file is saved as " + ui.Line(r.Saved) + "; lcm-tui salvage saves what can still be read of it")
	default:
		p.Block("the way back: lcm-tui restore " + ui.Line(r.Saved) + " --apply")
	}
}
