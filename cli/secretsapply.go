package cli

import (
	"context"
	"errors"

	"lcm-tui/data/reclaim"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
	sweep "lcm-tui/ops/secrets"
	"lcm-tui/ui"
)

// secretsApplied is the result of secrets --apply.
type secretsApplied struct {
	planResult
	Counts sweep.Counts  `json:"counts"`
	Result *sweep.Result `json:"result"`
}

// secretsLeftError says that something that is ours to remove is still there.
type secretsLeftError struct{ places int }

func (e *secretsLeftError) Error() string {
	return plural.Count(e.places, "secret is", "secrets are") + " still somewhere; what was replaced stays replaced"
}

// Hint says what to do next.
func (*secretsLeftError) Hint() string {
	return "stop the agents that use the database and give the same command again; lcm-tui reclaim rewrites pages that hold no row any more"
}

// replace replaces secrets, or writes the plan of that to a file.
func (f *secretsFlags) replace(ctx context.Context, c *invocation, request sweep.Request) (result, error) {
	if f.backups {
		return nil, usageErrorf("secrets: --apply doesn't change backups or trash; leave --backups out, and give the command for each of them: lcm-tui --db FILE secrets --apply --irreversible")
	}
	if f.apply {
		if err := c.db.Writable(); err != nil {
			return nil, err
		}
	}
	if f.transcripts && f.planOut.value != "" {
		return nil, usageErrorf("secrets: --plan-out doesn't hold session files, which must not change between a plan and its application; give --transcripts with --apply")
	}
	op := &sweep.Op{Request: request, Choose: f.choose.values, ForgetHashes: f.forgetHashes}
	if f.keepBackup.value != "" {
		path, err := c.newFile(c.db, f.keepBackup.value)
		if err != nil {
			return nil, err
		}
		op.KeepBackup = path
	}
	op.CacheFolders, op.StateFiles = c.cacheFolders(), c.stateFiles()
	path, err := c.planPlace(c.db, f.planOut, op)
	if err != nil {
		return nil, err
	}
	plan, err := op.Plan(ctx, c.db, c.progress())
	if err != nil {
		return nil, err
	}
	if path != "" {
		o := &planResult{Plan: plan}
		return o, c.writePlan(ctx, c.db, op, o, path)
	}
	return c.applySweep(ctx, op, plan)
}

// cacheFolders are the folders of the answers of models.
func (c *invocation) cacheFolders() []string {
	if folder := cacheFolder(c.sys.Env); folder != "" {
		return []string{folder}
	}
	return nil
}

// stateFiles are the files with the words that the user searched.
func (c *invocation) stateFiles() []string {
	if path := c.queriesFile(); path != "" {
		return []string{path}
	}
	return nil
}

// applySweep writes a plan of secrets and proves that they are gone.
func (c *invocation) applySweep(ctx context.Context, op *sweep.Op, plan ops.Plan) (result, error) {
	if len(op.SessionFiles()) > 0 {
		if err := c.replaceInTranscripts(ctx, op); err != nil {
			return nil, err
		}
	}
	out, err := c.apply(ctx, c.db, plan, c.progress())
	if err != nil {
		return nil, err
	}
	if op.Result.OnlyInPages() {
		if err := c.rewriteAndProve(ctx, op); err != nil {
			c.commandWarnings = append(c.commandWarnings, err)
		}
	}
	shown := &secretsApplied{planResult: planResult{Plan: plan, Applied: true, Record: &out.Record}, Counts: op.Report().Counts, Result: op.Result}
	if !op.Result.Gone() {
		left := 0
		for _, p := range op.Result.Proof {
			if !p.Gone {
				left++
			}
		}
		return shown, &secretsLeftError{left}
	}
	return shown, nil
}

// replaceInTranscripts closes the database while the session files are changed.
func (c *invocation) replaceInTranscripts(ctx context.Context, op *sweep.Op) error {
	path := c.db.Path()
	c.losses = nil // The handle is closed when they would be read.
	if err := c.db.Close(); err != nil {
		return err
	}
	c.db = nil
	err := op.ReplaceInTranscripts(ctx, path)
	_, opened := c.open(ctx)
	return errors.Join(err, opened)
}

// rewriteAndProve gives back the pages in which something is left, and proves again.
func (c *invocation) rewriteAndProve(ctx context.Context, op *sweep.Op) error {
	path := c.db.Path()
	c.losses = nil // The handle is closed when they would be read.
	if err := c.db.Close(); err != nil {
		return err
	}
	c.db = nil
	_, err := reclaim.File(ctx, path, reclaim.Options{}, c.progress())
	db, opened := c.open(ctx)
	if opened != nil {
		return errors.Join(err, opened)
	}
	return errors.Join(err, op.Prove(ctx, db, c.progress()))
}

func (s *secretsApplied) text(p *printer) {
	p.title(ui.Line(s.Title))
	p.linef("%s changed, record %d", plural.Count(s.Result.Cells, "text", "texts"), *s.Record)
	if n := s.Result.Answers; n > 0 {
		p.line(plural.Count(n, "cached answer was", "cached answers were") + " deleted")
	}
	for _, file := range s.Result.Files {
		p.line("rewritten: " + ui.Line(file))
	}
	p.write("\n")
	for _, f := range s.Result.Proof {
		sign := styled(p.styles.Good, "✓")
		if !f.Gone {
			sign = styled(p.styles.Bad, "!")
		}
		p.linef("%s %s#%d  %s", sign, f.Rule, f.Number, ui.Line(f.Text()))
	}
	p.write("\n")
	for _, w := range s.Plan.Warnings {
		p.block(styled(p.styles.Warn, "warning: "+ui.Line(w)))
	}
	for _, n := range s.Notes {
		p.block(styled(p.styles.Muted, ui.Line(n)))
	}
}
