package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"lcm-tui/data/lcm"
	"lcm-tui/data/sessiondb"
	"lcm-tui/ops"
	"lcm-tui/ops/backfill"
	"lcm-tui/ops/compact"
	"lcm-tui/ops/transplant"
)

// paths are the files and folders to import: as they are named, or those of a session of
// an agent.
func (k *importFlags) paths(ctx context.Context, c *invocation) ([]string, error) {
	folder := k.sessions.value
	switch n := len(c.args); {
	case n == 0 && folder == "":
		return nil, usageErrorf("backfill: expected %s", argumentKinds["PATH..."])
	case n == 0:
		return []string{folder}, nil
	case n > 2 && folder != "", n == 1 && folder != "" && exists(c.args[0]):
		return nil, usageErrorf("--sessions and PATH exclude each other; with it the arguments are a session, or AGENT SESSION")
	case folder != "":
		return backfill.AgentSession(folder, c.args[n-1])
	case n != 2 || exists(c.args[0]) || strings.ContainsAny(c.args[0], `/\`):
		return c.args, nil
	}
	agents := filepath.Join(c.locations.StateDir, "agents")
	if !exists(filepath.Join(agents, c.args[0])) {
		return c.args, nil // Two files, of which Find says what is wrong.
	}
	k.bare = !k.after && !k.recompact
	stored, err := backfill.StoredSession(ctx, filepath.Join(agents, c.args[0], "agent", sessiondb.FileName), c.args[1])
	if len(stored) > 0 || err != nil {
		return stored, err
	}
	return backfill.AgentSession(filepath.Join(agents, c.args[0], "sessions"), c.args[1])
}

// checkSingleFile holds what is for a single session file against what was found, before anything
// is written.
func (k *importFlags) checkSingleFile(ctx context.Context, c *invocation, found []string) error {
	if k.to.value != "" {
		if _, err := c.conversation(ctx, "DST", k.to.value); err != nil {
			return err
		}
	}
	for flag, v := range map[string]string{"title": k.title.value, "transplant-to": k.to.value} {
		if v != "" && len(found) > 1 {
			return usageErrorf("--%s is for a single session file, and there are %d", flag, len(found))
		}
	}
	if k.title.value == "" || len(found) == 0 {
		return nil
	}
	o := &backfill.Op{Path: found[0], Agent: k.agent.value, Keys: &backfill.Keys{}}
	defer o.Close()
	s, err := o.Survey(ctx, c.DB, func(int, int, string) {})
	if err == nil && !s.New {
		return usageErrorf("--title is for a new conversation, and %s belongs to conversation %d", filepath.Base(found[0]), s.Conversation)
	}
	return nil // Importing says what is wrong with the file.
}

// estimateFollowUp says what --apply would do beyond the import.
func (k *importFlags) estimateFollowUp(ctx context.Context, c *invocation, all *importResults) error {
	if k.bare {
		all.Notes = append(all.Notes, "it is only imported: --compact or --recompact has a model summarize it, too")
	}
	if k.to.value != "" {
		to, err := c.conversation(ctx, "DST", k.to.value)
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
	r, err := c.perform(ctx, m, false)
	switch o, ok := r.(*planResult); {
	case errors.Is(err, ops.ErrNothing):
		all.Notes = append(all.Notes, "nothing to compact: "+err.Error())
	case err != nil:
		return err
	case ok:
		all.Compaction, c.exit = o, exitDone
	}
	return nil
}

// compaction is that of the conversations of an import.
func (k *importFlags) compaction(ctx context.Context, c *invocation, all *importResults) (*compact.Many, error) {
	k.force, k.unlimited = k.force || k.recompact, k.recompact
	t, err := k.tools(c)
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
func (k *importFlags) compact(ctx context.Context, c *invocation, all *importResults) error {
	m, err := k.compaction(ctx, c, all)
	if err != nil {
		return err
	}
	r, err := c.perform(ctx, m, true)
	c.wipe()
	written := "the import is written, but not compacted"
	if o, ok := r.(*planResult); ok && o.Applied {
		all.Compaction, written = o, "the import is written, but compacted only in part"
	}
	if err == nil {
		c.exit = exitDone
		return k.checkRoot(ctx, c, all)
	}
	if errors.Is(err, ops.ErrNothing) {
		all.Notes = append(all.Notes, "nothing to compact: "+err.Error())
		return k.checkRoot(ctx, c, all)
	}
	if ctx.Err() != nil {
		return err
	}
	c.commandWarnings = append(c.commandWarnings, fmt.Errorf("%s: %w", written, err))
	c.exit = exitFailed
	return nil
}

// checkRoot says where --single-root left more than one summary.
func (k *importFlags) checkRoot(ctx context.Context, c *invocation, all *importResults) error {
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
func (k *importFlags) transplant(ctx context.Context, c *invocation, all *importResults) error {
	to, err := c.conversation(ctx, "DST", k.to.value)
	if err != nil {
		return err
	}
	for _, from := range all.conversations(true) {
		o := &transplant.Op{Source: from, Target: to, Files: c.locations.FilesDir, FromFiles: c.locations.FilesDir}
		r, err := c.perform(ctx, o, true)
		c.wipe()
		switch done, ok := r.(*planResult); {
		case errors.Is(err, ops.ErrNothing):
			all.Notes = append(all.Notes, "nothing to copy: "+err.Error())
		case ctx.Err() != nil && err != nil:
			return err
		case err != nil:
			c.commandWarnings = append(c.commandWarnings, fmt.Errorf("the import is written, but not copied into conversation %d: %w", to, err))
			c.exit = exitFailed
		case ok:
			all.Transplant, c.exit = done, exitDone
		}
	}
	return nil
}
