package clean

import (
	"context"
	"path/filepath"

	"github.com/spf13/pflag"

	"lcm-tui/cli"
	"lcm-tui/ops"
	"lcm-tui/ops/planfile"
	"lcm-tui/ops/prune"
	"lcm-tui/ops/prune/removal"
	"lcm-tui/ops/prune/selector"
)

// filesVerb, batchesVerb and historyVerb are the verbs of prune that aren't about conversations.
const (
	filesVerb   prune.Verb = "files"
	batchesVerb prune.Verb = ops.BatchesVerb
	historyVerb prune.Verb = ops.HistoryVerb
)

// upkeep makes the operation of prune files, prune batches and prune history.
func (p *pruneFlags) upkeep(ctx context.Context, c *cli.Invocation, verb prune.Verb) (ops.Op, error) {
	taken := map[prune.Verb]string{filesVerb: "files-dir", batchesVerb: "older-than", historyVerb: "older-than"}[verb]
	if err := p.refuseOthers(verb, taken); err != nil {
		return nil, err
	}
	db, err := c.Open(ctx)
	if err != nil {
		return nil, err
	}
	if verb == filesVerb {
		if p.filesDir.Value == "" {
			return nil, cli.UsageErrorf("prune files: expected --files-dir DIR with the folder of the large files, such as %s: another database may have its files there, so it is never guessed", c.Locations.FilesDir)
		}
		folder, err := filepath.Abs(p.filesDir.Value)
		if err == nil {
			err = p.checkPlanned(folder, planfile.FilesFolder(db, c.Locations.FilesDir))
		}
		return &prune.FilesOp{Folder: folder}, err
	}
	if p.OlderThan.Value == "" && verb == batchesVerb {
		return &prune.BatchesOp{}, nil
	}
	if p.OlderThan.Value == "" {
		return nil, cli.UsageErrorf("prune history: expected --older-than AGE, such as 180d")
	}
	before, err := selector.ParseAge(p.OlderThan.Value, db.Now())
	if err != nil {
		return nil, cli.FlagValueError("older-than", err)
	}
	if verb == batchesVerb {
		if before.After(db.Now().Add(-removal.BatchAge)) {
			return nil, cli.UsageErrorf("prune batches: --older-than has to be 7d at least: until then hosts may look at them")
		}
		return &prune.BatchesOp{Before: before}, nil
	}
	return &prune.HistoryOp{Before: before}, nil
}

// refuseOthers refuses flags that have no effect.
func (p *pruneFlags) refuseOthers(verb prune.Verb, taken string) (err error) {
	p.flags.Visit(func(f *pflag.Flag) {
		switch f.Name {
		case taken, "apply", "dry-run", "plan-out", "json", "db", "state-dir", "no-color":
		default:
			if f := f.Name; err == nil && p.own[f] {
				err = cli.UsageErrorf("--%s has no effect on prune %s", f, verb)
			}
		}
	})
	return err
}

// filesFolder returns where the large files of removed conversations are looked for: the folder that is
// named, or the one beside the database. Elsewhere they may be those of another database,
// of which this one is a copy.
func (p *pruneFlags) filesFolder(ctx context.Context, c *cli.Invocation) (string, error) {
	db, err := c.Open(ctx)
	if err != nil {
		return "", err
	}
	host := prune.FilesFolder(db, c.Locations.FilesDir)
	if p.filesDir.Value == "" {
		return host, nil
	}
	folder, err := filepath.Abs(p.filesDir.Value)
	if err != nil {
		return "", err
	}
	return folder, p.checkPlanned(folder, host)
}

// checkPlanned refuses a folder of which a plan file can't be made: a file says no folders, and who applies it has that of
// the host.
func (p *pruneFlags) checkPlanned(folder, host string) error {
	if !p.flags.Changed("plan-out") || folder == host {
		return nil
	}
	if host == "" {
		host = "none, since it isn't beside the database"
	}
	return cli.UsageErrorf("--plan-out and --files-dir %s: a plan file says no folder, and lcm-tui apply would take the one of the host (%s); --state-dir says where the host keeps it, for both commands", folder, host)
}
