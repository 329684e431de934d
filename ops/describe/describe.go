package describe

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/explore"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
	"lcm-tui/prompts"
)

// Op describes the large text files of Conversation.
type Op struct {
	Conversation int64
	// Files are those that are described; nil are all. What a model described already is described again only where it is named.
	Files    []string
	FilesDir string
	// Ask calls the model; without it the plan is an estimate that changes nothing.
	Ask   bool
	Model summarize.Model
	Job   summarize.Job // TargetTokens is that of leaves: a description is made as a leaf of its sample would be.
}

var _ ops.Estimator = (*Op)(nil)

// Name implements ops.Op.
func (*Op) Name() string { return "files" }

// Generating implements ops.Generator.
func (o *Op) Generating() ops.Op {
	next := *o
	next.Ask = true
	return &next
}

// Estimating implements ops.Estimator.
func (o *Op) Estimating() ops.Op {
	next := *o
	next.Ask = false
	return &next
}

// payload is one content, and the files that have it.
type payload struct {
	name, mime, body string
	files            []lcm.LargeFile
	known            string // The description that a model made of the same content.
}

// mostBytes is the greatest size of a file that is read.
const mostBytes = 64 << 20

// Plan implements ops.Op.
func (o *Op) Plan(ctx context.Context, db *data.DB, report data.Report) (ops.Plan, error) {
	if _, err := lcm.ReadConversation(ctx, db, o.Conversation); err != nil {
		return ops.Plan{}, err
	}
	p := ops.New(o.Name(), "")
	all, err := o.payloads(ctx, db, &p)
	if err != nil {
		return ops.Plan{}, err
	}
	if len(all) == 0 {
		return ops.Plan{}, hint.Wrap(fmt.Errorf("files: no large text file of the conversation is without a description by a model: %w", ops.ErrNothing), strings.Join(p.Warnings, "; "))
	}
	if !o.Ask {
		return o.estimate(p, all)
	}
	return o.generate(ctx, db, p, all, report)
}

// payloads reads the files that are to be described, by content. What can't be read or isn't text is a warning.
func (o *Op) payloads(ctx context.Context, db *data.DB, p *ops.Plan) (out []*payload, err error) {
	all, err := lcm.LargeFiles(ctx, db, o.Conversation)
	if err != nil {
		return nil, err
	}
	for _, id := range o.Files {
		if !slices.ContainsFunc(all, func(f lcm.LargeFile) bool { return f.ID == id }) {
			return nil, &data.NotFoundError{What: "file", ID: id, Path: db.Path()}
		}
	}
	byHash := map[[sha256.Size]byte]*payload{}
	for _, f := range all {
		if o.Files != nil && !slices.Contains(o.Files, f.ID) || !explore.IsProse(f.Name, f.MIME) {
			continue
		}
		content, more, err := lcm.ReadLargeFile(f, o.FilesDir, mostBytes)
		switch {
		case err != nil:
			p.Warn(err.Error())
			continue
		case more || !utf8.Valid(content):
			p.Warn(f.ID + " is larger than 64 MB or isn't text: it keeps its description")
			continue
		}
		hash := sha256.Sum256(content)
		one := byHash[hash]
		if one == nil {
			one = &payload{name: f.Name, mime: f.MIME, body: string(content)}
			byHash[hash] = one
			out = append(out, one)
		}
		switch {
		case o.Files != nil || IsReplaceable(f.Exploration):
			one.files = append(one.files, f)
		case one.known == "":
			one.known = f.Exploration
		}
	}
	return slices.DeleteFunc(out, func(one *payload) bool { return len(one.files) == 0 }), ctx.Err()
}

// IsReplaceable reports whether a description is one that no model made of the file: one by rule, none, or the start of the
// prompt that a host stored in its place.
func IsReplaceable(description string) bool {
	return explore.IsDeterministic(description) || summarize.Detect(description, "") != summarize.None
}

// job returns the job of a payload. Secrets are taken out before the sample is, because one that is cut is none any more.
func (o *Op) job(one *payload) summarize.Job {
	j := o.Job
	body := one.body
	if j.Masker != nil {
		body, _ = j.Masker.Mask(body)
	}
	j.Source, j.Template, j.Children = explore.Source(one.name, one.mime, body), prompts.File, 1
	j.Depth, j.Previous, j.Fallback = 0, "", false
	return j
}

// estimate returns a plan that says what the calls would cost, and changes nothing.
func (o *Op) estimate(p ops.Plan, all []*payload) (ops.Plan, error) {
	var cost summarize.Cost
	n := 0
	for _, one := range all {
		n += len(one.files)
		if one.known != "" {
			continue
		}
		j := o.job(one)
		request, err := j.Request(summarize.Normal)
		if err != nil {
			return p, err
		}
		cost.Calls++
		cost.InputTokens += j.Estimator.Count(request.System) + j.Estimator.Count(request.Prompt)
		cost.OutputTokens += int64(request.Target)
	}
	p.Title = fmt.Sprintf("describe %s: an estimate", plural.Count(n, "large file", "large files"))
	p.Impact = ops.Impact{ModelCalls: cost.Calls, InputTokens: cost.InputTokens, OutputTokens: cost.OutputTokens, Unknown: true}
	p.More = true
	if o.Model != nil {
		cost = summarize.EstimateCost(o.Model, cost)
		p.Price, p.Model = cost.Price(), o.Model.Name()
		p.Note("they would be described by " + p.Model + "; estimated cost: " + p.Price)
	}
	return p, nil
}

// generate asks the model once for each content.
func (o *Op) generate(ctx context.Context, db *data.DB, p ops.Plan, all []*payload, report data.Report) (ops.Plan, error) {
	if err := summarize.CheckNamed(o.Model); err != nil {
		return ops.Plan{}, fmt.Errorf("files: %w", err)
	}
	var cost summarize.Cost
	var failed error
	for i, one := range all {
		text, taken, err := o.describe(ctx, one)
		cost = cost.Plus(taken)
		if ctx.Err() != nil {
			return ops.Plan{}, ctx.Err()
		}
		if err != nil {
			failed = err
			p.Warn(fmt.Sprintf("%s keeps its description: %v", one.files[0].ID, err))
			if errors.Is(err, summarize.ErrPermanent) || errors.Is(err, summarize.ErrAuth) || errors.Is(err, summarize.ErrLimit) {
				break // No other call can succeed.
			}
			continue
		}
		for _, f := range one.files {
			if err := replace(ctx, db, &p, f, text); err != nil {
				return ops.Plan{}, err
			}
		}
		if report != nil {
			report(i+1, len(all), "")
		}
	}
	p.Impact.ModelCalls, p.Impact.InputTokens, p.Impact.OutputTokens = cost.Calls, cost.InputTokens, cost.OutputTokens
	switch {
	case len(p.Changes) == 0 && failed != nil:
		return ops.Plan{}, hint.Wrap(fmt.Errorf("files: %w", failed), "every file keeps its description; "+hint.Of(failed))
	case len(p.Changes) == 0:
		return ops.Plan{}, fmt.Errorf("files: the descriptions are the same: %w", ops.ErrNothing)
	}
	p.Title = "describe " + plural.Count(len(p.Changes), "large file", "large files")
	p.Partial = failed
	if withheld := cost.Withheld(); withheld != "" {
		p.Note(withheld)
	}
	if saved := cost.Saved(); saved != "" {
		p.Note(saved)
	}
	return p, nil
}

// describe returns the description of a payload: that which a model made of the same content, or what the model answers.
func (o *Op) describe(ctx context.Context, one *payload) (string, summarize.Cost, error) {
	if one.known != "" {
		return one.known, summarize.Cost{}, nil
	}
	r, err := summarize.Summarize(ctx, o.Model, o.job(one))
	if err != nil {
		return "", r.Cost, err
	}
	text := strings.TrimSpace(r.Text)
	if r.Fallback || text == "" || summarize.Detect(text, "") != summarize.None {
		return "", r.Cost, &summarize.NoSummaryError{Model: r.Model, Why: "the answer is the start of the file, not a description"}
	}
	return text, r.Cost, nil
}

// replace adds to a plan that a file gets another description.
func replace(ctx context.Context, db *data.DB, p *ops.Plan, f lcm.LargeFile, text string) error {
	if f.Exploration == text {
		return nil
	}
	rows, err := data.Images(ctx, db, "large_files", data.Row{"file_id": f.ID})
	if err != nil {
		return err
	}
	for _, before := range rows {
		p.Changes = append(p.Changes, change.Update(db, "large_files", before, data.Row{"exploration_summary": text}))
		p.Texts = append(p.Texts, ops.Text{ID: f.ID, Before: f.Exploration, After: text})
	}
	return nil
}
