package clean

import (
	"context"
	"errors"
	"strings"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/outcome"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
	"lcm-tui/ops/reclaim"
	sweep "lcm-tui/ops/secrets"
	"lcm-tui/ui"
)

// secretsApplied is the result of secrets --apply.
type secretsApplied struct {
	cli.PlanResult
	Counts sweep.Counts  `json:"counts"`
	Result *sweep.Result `json:"result"`
}

// replace replaces secrets, or writes the plan of that to a file.
func (f *secretsFlags) replace(ctx context.Context, c *cli.Invocation, request sweep.Request) (cli.Result, error) {
	if f.backups {
		return nil, cli.UsageErrorf("secrets: --apply doesn't change backups or trash; leave --backups out, and give the command for each of them: lcm-tui --db FILE secrets --apply --irreversible")
	}
	if f.apply {
		if err := c.ReadyToWrite(ctx, c.DB); err != nil {
			return nil, err
		}
	}
	if f.transcripts && f.planOut.Value != "" {
		return nil, cli.UsageErrorf("secrets: --plan-out doesn't hold session files, which must not change between a plan and its application; give --transcripts with --apply")
	}
	op := &sweep.Op{Request: request, Choose: f.choose.values, ForgetHashes: f.forgetHashes, StateFolder: c.Locations.StateDir, AgentFolders: agentFolders(c)}
	if f.keepBackup.Value != "" {
		path, err := c.NewFile(c.DB, f.keepBackup.Value)
		if err != nil {
			return nil, err
		}
		op.KeepBackup = path
	}
	op.CacheFolders, op.StateFiles = cacheFolders(c), stateFiles(c)
	path, err := c.PlanPlace(c.DB, f.planOut, op)
	if err != nil {
		return nil, err
	}
	plan, err := op.Plan(ctx, c.DB, c.Progress())
	if err != nil && f.apply {
		return finishEarlier(ctx, c, err)
	}
	if err != nil {
		return nil, err
	}
	if path != "" {
		o := &cli.PlanResult{Plan: plan}
		return o, c.WritePlan(ctx, c.DB, op, o, path)
	}
	return applySweep(ctx, c, op, plan)
}

// agentFolders returns where the host's agents keep their databases.
func agentFolders(c *cli.Invocation) (folders []string) {
	for _, agent := range c.Locations.Agents() {
		folders = append(folders, agent.Folder)
	}
	return folders
}

// cacheFolders returns the folders of the answers of models.
func cacheFolders(c *cli.Invocation) []string {
	if folder := cli.CacheFolder(c.Sys.Env); folder != "" {
		return []string{folder}
	}
	return nil
}

// stateFiles returns the files with the words that the user searched.
func stateFiles(c *cli.Invocation) []string {
	if path := c.QueriesFile(); path != "" {
		return []string{path}
	}
	return nil
}

// applySweep writes a plan of secrets, rewrites the file and proves that they are gone.
func applySweep(ctx context.Context, c *cli.Invocation, op *sweep.Op, plan ops.Plan) (cli.Result, error) {
	if len(op.SessionFiles()) > 0 { // Else the host would be found at work after the rows are written.
		if err := whileClosed(ctx, c, func(path string) error { return checkAlone(ctx, path) }); err != nil {
			return nil, err
		}
	}
	op.ProveLater = true
	_, err := ops.ApplyPlan(ctx, c.DB, plan, c.Progress())
	if op.Result == nil || op.Result.Record == 0 {
		return nil, err
	}
	if err == nil {
		err = whileClosed(ctx, c, func(path string) error { return op.Finish(ctx, path, c.Progress()) })
		if c.DB != nil {
			err = errors.Join(err, op.Prove(ctx, c.DB, c.Progress()))
		}
	}
	if err == nil {
		err = leftError(op.Result)
	}
	shown := &secretsApplied{PlanResult: cli.PlanResult{Plan: plan, Applied: true, Record: &op.Result.Record}, Counts: op.Report().Counts, Result: op.Result}
	if err == nil {
		return shown, nil
	}
	return shown, &outcome.Error{Reached: outcome.RecordsText([]int64{op.Result.Record}), Err: err}
}

// leftError says what is left of the secrets, or is nil where nothing is.
func leftError(r *sweep.Result) error {
	places := 0
	for _, p := range r.Proof {
		if !p.Gone {
			places++
		}
	}
	var left, next []string
	if places > 0 {
		left = append(left, plural.Count(places, "secret is", "secrets are")+" still somewhere")
	}
	if r.UncleanPages {
		left = append(left, "the file isn't rewritten, so its pages may hold what was replaced")
		next = append(next, "stop every program that has the database open and give the same command again: it rewrites the file")
	}
	if r.KeptMessages > 0 {
		next = append(next, plural.Count(r.KeptMessages, "message keeps it", "messages keep it")+", since the host would store it again: stop the host and give the same command with --transcripts, or go on in the conversation and give it again later")
	}
	if places > 0 {
		next = append(next, "a text by which other places refer to something stays: revoke that key, and remove the conversation or the file if it has to go")
	}
	if len(left) == 0 {
		return nil
	}
	return hint.New(strings.Join(left, "; "), strings.Join(append(next, "what was replaced stays replaced; there is no undo"), "\n"))
}

// checkAlone fails where another program has a database open.
func checkAlone(ctx context.Context, path string) error {
	x, err := data.OpenExclusive(ctx, path)
	if err != nil {
		return err
	}
	return x.Close()
}

// whileClosed closes the database, calls fn, and opens it again.
func whileClosed(ctx context.Context, c *cli.Invocation, fn func(path string) error) error {
	path := c.DB.Path()
	c.CoverageErrors = nil // The handle is closed when they would be read.
	if err := c.DB.Close(); err != nil {
		return err
	}
	c.DB = nil
	err := fn(path)
	_, opened := c.Open(context.WithoutCancel(ctx))
	return errors.Join(err, opened)
}

// secretsFinished is the result of secrets --apply where only the file had to be rewritten.
type secretsFinished struct {
	Records []int64 `json:"rewritten_since_records"`
	cli.WarningList
}

func (s *secretsFinished) Print(p *cli.Printer) {
	for _, id := range s.Records {
		p.Linef("%s the file is rewritten: none of its pages holds what record %d replaced", cli.Styled(p.Styles.Good, "✓"), id)
	}
}

// finishEarlier rewrites the file where an earlier run has replaced secrets and was stopped before
// that. none is why there is nothing else to do.
func finishEarlier(ctx context.Context, c *cli.Invocation, none error) (cli.Result, error) {
	var kept *sweep.KeptError
	if !errors.Is(none, ops.ErrNothing) && !errors.As(none, &kept) {
		return nil, none
	}
	unclean, err := change.UncleanRecords(ctx, c.DB)
	if err != nil || len(unclean) == 0 {
		return nil, errors.Join(err, none)
	}
	err = whileClosed(ctx, c, func(path string) error {
		_, err := reclaim.File(ctx, path, reclaim.Options{}, c.Progress())
		return err
	})
	if err == nil {
		err = change.CheckPages(ctx, c.DB)
	}
	if err != nil {
		return nil, err
	}
	c.Partial = true
	shown := &secretsFinished{}
	for _, r := range unclean {
		shown.Records = append(shown.Records, r.ID)
	}
	if kept != nil {
		return shown, kept
	}
	return shown, nil
}

func (s *secretsApplied) Print(p *cli.Printer) {
	p.Title(ui.Line(s.Title))
	p.Linef("%s changed, record %d", plural.Count(s.Result.Cells, "text", "texts"), *s.Record)
	if n := s.Result.Answers; n > 0 {
		p.Line(plural.Count(n, "cached answer was", "cached answers were") + " deleted")
	}
	for _, file := range s.Result.Files {
		p.Line("rewritten: " + ui.Line(file))
	}
	if len(s.Result.Proof) > 0 && !s.Result.UncleanPages {
		p.Line("the file is rewritten: none of its pages holds what was replaced")
	}
	p.Write("\n")
	for _, f := range s.Result.Proof {
		sign := cli.Styled(p.Styles.Good, "✓")
		if !f.Gone {
			sign = cli.Styled(p.Styles.Bad, "!")
		}
		p.Linef("%s %s#%d  %s", sign, f.Rule, f.Number, ui.Line(f.Text()))
	}
	p.Write("\n")
	for _, w := range s.Plan.Warnings {
		p.Block(cli.Styled(p.Styles.Warn, "warning: "+ui.Line(w)))
	}
	for _, n := range s.Notes {
		p.Block(cli.Styled(p.Styles.Muted, ui.Line(n)))
	}
}
