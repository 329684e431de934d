package change

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"lcm-tui/cli"
	"lcm-tui/data/lcm"
	"lcm-tui/data/sessiondb"
	"lcm-tui/ops"
	"lcm-tui/ops/backfill"
	"lcm-tui/ops/compact"
	"lcm-tui/ops/transplant"
)

// paths returns the files and folders to import: as they are named, or those of a session of
// an agent.
func (k *importFlags) paths(ctx context.Context, c *cli.Invocation) ([]string, error) {
	folder := k.sessions.Value
	switch n := len(c.Args); {
	case n == 0 && folder == "" && c.Called == c.Name && !k.all:
		return nil, cli.UsageErrorf("backfill: expected %s, or --all; lcm-tui import takes the sessions of this folder", cli.ArgumentKinds["PATH..."])
	case n == 0 && folder == "":
		return k.clientSessions(ctx, c)
	case n == 0:
		return []string{folder}, nil
	case n > 2 && folder != "", n == 1 && folder != "" && cli.FileExists(c.Args[0]):
		return nil, cli.UsageErrorf("--sessions and PATH exclude each other; with it the arguments are a session, or AGENT SESSION")
	case folder != "":
		return backfill.AgentSession(folder, c.Args[n-1])
	case n != 2 || cli.FileExists(c.Args[0]) || strings.ContainsAny(c.Args[0], `/\`):
		return c.Args, nil
	}
	agents := filepath.Join(c.Locations.StateDir, "agents")
	if !cli.FileExists(filepath.Join(agents, c.Args[0])) {
		return c.Args, nil // Two files, of which Find says what is wrong.
	}
	k.bare = !k.after && !k.recompact
	stored, err := backfill.StoredSession(ctx, filepath.Join(agents, c.Args[0], "agent", sessiondb.FileName), c.Args[1])
	if len(stored) > 0 || err != nil {
		return stored, err
	}
	return backfill.AgentSession(filepath.Join(agents, c.Args[0], "sessions"), c.Args[1])
}

// checkSingleFile holds what is for a single session file against what was found, before anything
// is written.
func (k *importFlags) checkSingleFile(ctx context.Context, c *cli.Invocation, found []string) error {
	if k.to.Value != "" {
		if _, err := c.Conversation(ctx, "DST", k.to.Value); err != nil {
			return err
		}
	}
	for flag, v := range map[string]string{"title": k.title.Value, "transplant-to": k.to.Value} {
		if v != "" && len(found) > 1 {
			return cli.UsageErrorf("--%s is for a single session file, and there are %d", flag, len(found))
		}
	}
	if k.title.Value == "" || len(found) == 0 {
		return nil
	}
	o := &backfill.Op{Path: found[0], Agent: k.agent.Value, Keys: &backfill.Keys{}}
	defer o.Close()
	s, err := o.Survey(ctx, c.DB, func(int, int, string) {})
	if err == nil && !s.New {
		return cli.UsageErrorf("--title is for a new conversation, and %s belongs to conversation %d", filepath.Base(found[0]), s.Conversation)
	}
	return nil // Importing says what is wrong with the file.
}

// estimateFollowUp says what --apply would do beyond the import.
func (k *importFlags) estimateFollowUp(ctx context.Context, c *cli.Invocation, all *importResults) error {
	if k.bare {
		all.Notes = append(all.Notes, "it is only imported: --compact or --recompact has a model summarize it, too")
	}
	if k.to.Value != "" {
		to, err := c.Conversation(ctx, "DST", k.to.Value)
		if err != nil {
			return err
		}
		all.Notes = append(all.Notes, fmt.Sprintf("with --apply its summaries are then copied into conversation %d", to))
	}
	if k.recompact || k.implied && all.Totals.Messages > 0 {
		all.Notes = append(all.Notes, "with --apply it is then compacted, whatever its size")
	}
	if !k.recompact {
		return nil
	}
	m, err := k.compaction(ctx, c, all)
	if err != nil || len(m.Ops) == 0 || all.Totals.Messages > 0 { // What isn't imported yet can't be estimated.
		return err
	}
	r, err := c.Perform(ctx, m, false)
	switch o, ok := r.(*cli.PlanResult); {
	case errors.Is(err, ops.ErrNothing):
		all.Notes = append(all.Notes, "nothing to compact: "+err.Error())
	case err != nil:
		return err
	case ok:
		all.Compaction, c.Exit = o, cli.ExitDone
	}
	return nil
}

// compaction returns that of the conversations of an import.
func (k *importFlags) compaction(ctx context.Context, c *cli.Invocation, all *importResults) (*compact.Many, error) {
	k.force, k.unlimited = k.force || k.recompact, k.recompact
	t, err := k.Tools(c)
	if err != nil {
		return nil, err
	}
	budgets, err := lcm.Budgets(ctx, c.DB)
	if err != nil {
		return nil, err
	}
	m := &compact.Many{}
	for _, conv := range all.conversations(k.recompact) {
		row, err := lcm.ReadConversation(ctx, c.DB, conv)
		if err != nil {
			return nil, err
		}
		o, err := k.compactFlags.one(ctx, c.DB, row, budgets[conv], t)
		if err != nil {
			return nil, err
		}
		m.Ops = append(m.Ops, o)
	}
	return m, nil
}

// compact compacts what was imported.
func (k *importFlags) compact(ctx context.Context, c *cli.Invocation, all *importResults) error {
	m, err := k.compaction(ctx, c, all)
	if err != nil {
		return err
	}
	r, err := c.Perform(ctx, m, true)
	c.Wipe()
	written := "the import is written, but not compacted"
	if o, ok := r.(*cli.PlanResult); ok && o.Applied {
		all.Compaction, written = o, "the import is written, but compacted only in part"
	}
	if err == nil {
		c.Exit = cli.ExitDone
		return k.checkRoot(ctx, c, all)
	}
	if errors.Is(err, ops.ErrNothing) {
		all.Notes = append(all.Notes, "nothing to compact: "+err.Error())
		return k.checkRoot(ctx, c, all)
	}
	if ctx.Err() != nil {
		return err
	}
	c.CommandWarnings = append(c.CommandWarnings, fmt.Errorf("%s: %w", written, err))
	c.Exit = cli.ExitFailed
	return nil
}

// checkRoot says where --single-root left more than one summary.
func (k *importFlags) checkRoot(ctx context.Context, c *cli.Invocation, all *importResults) error {
	if !k.singleRoot {
		return nil
	}
	for _, conv := range all.conversations(k.recompact) {
		items, err := lcm.Context(ctx, c.DB, conv)
		if err != nil {
			return err
		}
		if len(items) > 1 {
			all.Notes = append(all.Notes, fmt.Sprintf("the context of conversation %d has %d items, not a single summary: --fresh-tail 0 leaves no message, --leaf-chunk-tokens says how much goes into one", conv, len(items)))
		}
	}
	return nil
}

// transplant copies the summaries of the imported conversation into another.
func (k *importFlags) transplant(ctx context.Context, c *cli.Invocation, all *importResults) error {
	to, err := c.Conversation(ctx, "DST", k.to.Value)
	if err != nil {
		return err
	}
	for _, from := range all.conversations(true) {
		o := &transplant.Op{Source: from, Target: to, Files: c.Locations.FilesDir, FromFiles: c.Locations.FilesDir}
		r, err := c.Perform(ctx, o, true)
		c.Wipe()
		switch done, ok := r.(*cli.PlanResult); {
		case errors.Is(err, ops.ErrNothing):
			all.Notes = append(all.Notes, "nothing to copy: "+err.Error())
		case ctx.Err() != nil && err != nil:
			return err
		case err != nil:
			c.CommandWarnings = append(c.CommandWarnings, fmt.Errorf("the import is written, but not copied into conversation %d: %w", to, err))
			c.Exit = cli.ExitFailed
		case ok:
			all.Transplant, c.Exit = done, cli.ExitDone
		}
	}
	return nil
}
