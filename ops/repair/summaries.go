package repair

import (
	"context"
	"encoding/json"
	"slices"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
)

// summaries mends what summaries say of themselves: how many tokens they have, and
// which files they name. Of two with the same text one goes, as the user chose.
func (d *draft) summaries(ctx context.Context) error {
	for _, f := range d.take(integrity.SummaryTokensWrong) {
		n := d.nodes[f.Row]
		if n == nil || n.gone {
			continue
		}
		if d.remade[f.Row] == "" {
			s, err := d.db.Summary(ctx, f.Row)
			if err != nil {
				return err
			}
			n.Tokens = d.estimator().Count(s.Content)
			d.change(n, data.Row{"token_count": n.Tokens})
		}
		d.done(f)
	}
	d.twins()
	return d.fileIDs(ctx)
}

// twins drops the second of two summaries with the same text, if nothing leads to it.
func (d *draft) twins() {
	for _, f := range d.take(integrity.SummaryDuplicate) {
		if d.choice(f) != "drop" {
			continue
		}
		dropped := false
		for _, id := range slices.Backward(f.Rows) {
			n := d.nodes[id]
			if n != nil && !n.gone && !dropped && len(d.derived(id)) == 0 && !slices.Contains(d.tops(), id) && d.safe(n) {
				d.drop(n)
				dropped = true
			}
		}
		if dropped {
			d.done(f)
		} else {
			d.leave(f, "both are needed: each stands in the context, or something was made of it")
		}
	}
}

// fileIDs reads which files a summary names from its text again, where that is no
// list.
func (d *draft) fileIDs(ctx context.Context) error {
	for _, f := range d.take(integrity.ContentMalformed) {
		if f.Table != "summaries" || d.nodes[f.Row] == nil {
			continue
		}
		rows, err := d.db.ImagesIn(ctx, "summaries", "summary_id", []any{f.Row}, append(slices.Clone(light), "content")...)
		if err != nil {
			return err
		}
		if len(rows) != 1 || json.Valid([]byte(word(rows[0]["file_ids"]))) {
			continue
		}
		known, err := d.db.FileIDs(ctx)
		if err != nil {
			return err
		}
		ids := slices.DeleteFunc(data.MentionedFiles(word(rows[0]["content"])), func(id string) bool { _, ok := known[id]; return !ok })
		if err := d.setFiles(f.Row, ids); err != nil {
			return err
		}
		d.done(f)
	}
	return d.unknownFiles(ctx)
}

// unknownFiles makes the rows of files again that are where hosts put them, and drops
// the names of others.
func (d *draft) unknownFiles(ctx context.Context) error {
	drop := map[string][]string{}
	for _, f := range d.take(integrity.SummaryFileRowMissing) {
		if n := d.nodes[f.Row]; n == nil || n.gone || len(f.Rows) < 2 {
			continue
		}
		restored, err := d.restoreFile(ctx, f.Rows[1], 0)
		if err != nil {
			return err
		}
		if !restored {
			drop[f.Row] = append(drop[f.Row], f.Rows[1])
		}
		d.done(f)
	}
	for _, id := range sortedKeys(drop) {
		var named []string
		if json.Unmarshal([]byte(d.nodes[id].FileIDs), &named) != nil {
			continue
		}
		named = slices.DeleteFunc(named, func(n string) bool { return slices.Contains(drop[id], n) })
		if err := d.setFiles(id, named); err != nil {
			return err
		}
	}
	return nil
}

func (d *draft) setFiles(id string, named []string) error {
	b, err := json.Marshal(append([]string{}, named...))
	if err == nil {
		d.change(d.nodes[id], data.Row{"file_ids": string(b)})
	}
	return err
}
