package diff

import (
	"context"
	"fmt"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
	"lcm-tui/ops/diff/filepair"
)

// Health is which faults the files have.
type Health struct {
	New  []integrity.Finding `json:"new"`  // Only the second file has them.
	Gone []integrity.Finding `json:"gone"` // Only the first file has them.
	Same int                 `json:"same"` // How many both have.
}

// HealthRequest says how the files are checked.
type HealthRequest struct {
	FilesDir string           // The folder of large files; empty: files aren't looked at.
	Limits   integrity.Limits // Of the settings in force.
}

// Health checks both files, or the conversation that was asked for, and compares the findings: one
// is the same in both where fault, conversation, table and row are. Where ids don't tell, a row is
// left out and equal findings are counted off against each other.
func (c *Comparison) Health(ctx context.Context, r HealthRequest, report data.Report) (*Health, error) {
	h := &Health{New: []integrity.Finding{}, Gone: []integrity.Finding{}}
	if c.pair == nil {
		return h, nil
	}
	before, err := c.check(ctx, filepair.Before, r, report)
	if err != nil {
		return nil, err
	}
	after, err := c.check(ctx, filepair.After, r, report)
	if err != nil {
		return nil, err
	}
	partner := map[int64]int64{}
	for _, pair := range c.pair.Conversations() {
		partner[pair.Key().Before] = pair.Key().After
	}
	seen := map[string]int{}
	for _, f := range before {
		seen[c.fingerprint(f, filepair.Before, partner)]++
	}
	for _, f := range after {
		k := c.fingerprint(f, filepair.After, partner)
		if seen[k] == 0 {
			h.New = append(h.New, f)
			continue
		}
		seen[k]--
		h.Same++
	}
	for i := len(before) - 1; i >= 0; i-- { // Of equal ones the first are those that stayed.
		if k := c.fingerprint(before[i], filepair.Before, partner); seen[k] > 0 {
			seen[k]--
			h.Gone = append(h.Gone, before[i])
		}
	}
	return h, nil
}

// check finds the faults of one file, or of the conversation in it that was asked for.
func (c *Comparison) check(ctx context.Context, s filepair.Side, r HealthRequest, report data.Report) ([]integrity.Finding, error) {
	db, conversation := c.before, int64(0)
	if s == filepair.After {
		db = c.after
	}
	if c.request.isOne() {
		for _, pair := range c.pair.Conversations() {
			if k := pair.Key(); c.request.chooses(k) {
				conversation = [...]int64{k.Before, k.After}[s]
			}
		}
		if conversation == 0 {
			return nil, nil
		}
	}
	found, err := integrity.Check(ctx, db, integrity.Request{Conversation: conversation, FilesDir: r.FilesDir, Limits: r.Limits}, report)
	return found.Findings, err
}

// fingerprint tells findings of different rows apart, and is the same in both files. partner has
// the conversations of the second file by those of the first.
func (c *Comparison) fingerprint(f integrity.Finding, s filepair.Side, partner map[int64]int64) string {
	conversation := f.Conversation
	if s == filepair.Before && conversation != 0 {
		if conversation = partner[f.Conversation]; conversation == 0 {
			conversation = -f.Conversation
		}
	}
	if c.pair.Lineage == filepair.ByMeaning {
		return fmt.Sprint(f.Fault, conversation, f.Table)
	}
	return fmt.Sprint(f.Fault, conversation, f.Table, " ", f.Row)
}
