package secrets

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/columntexts"
	"lcm-tui/engine/redact"
)

// Result is what became of an application.
type Result struct {
	Record int64 `json:"record"`
	Cells  int   `json:"cells"` // How many texts were changed.
	// Files are those that were rewritten, session files as well, and Answers is how many cached answers
	// were deleted.
	Files   []string `json:"files"`
	Answers int      `json:"answers"`
	// UncleanPages says that the file wasn't rewritten since: pages of it may hold what was replaced.
	UncleanPages bool `json:"unclean_pages"`
	// LeftInWAL is how many pages of the -wal couldn't be moved into the file.
	LeftInWAL int64   `json:"left_in_wal"`
	Proof     []Proof `json:"proof"`
	// KeptMessages is how many messages keep their texts, since a host would store them again.
	KeptMessages int `json:"kept_messages"`

	unchanged []string // Files that couldn't be rewritten.
}

// Proof says where a secret still is.
type Proof struct {
	Rule   string `json:"rule"`
	Number int    `json:"n"`
	Gone   bool   `json:"gone"`
	// StillIn are the places that have it, without it.
	StillIn []string `json:"still_in"`
}

// Gone reports whether no secret is anywhere that was looked at.
func (r *Result) Gone() bool {
	return !slices.ContainsFunc(r.Proof, func(p Proof) bool { return !p.Gone })
}

// OnlyInPages reports whether what is left lies in free pages alone, from which it goes when the
// space is given back.
func (r *Result) OnlyInPages() bool {
	return !r.Gone() && !slices.ContainsFunc(r.Proof, func(p Proof) bool {
		return slices.ContainsFunc(p.StillIn, func(s string) bool { return s != freePages })
	})
}

// freePages is what is left when no row has it.
const freePages = "pages of the file that hold no row any more"

// maxPlaces is how many places a proof lists.
const maxPlaces = 20

// Prove looks for what is left of the secrets: in every text, in every page of the file, in the
// words of the search tables, and in the files that were asked for.
func (o *Op) Prove(ctx context.Context, db *data.DB, report data.Report) error {
	values := o.values()
	r := redact.NewRemains(values)
	left := make([][]string, len(values))
	add := func(i int, place string) {
		if len(left[i]) < maxPlaces && !slices.Contains(left[i], place) {
			left[i] = append(left[i], place)
		}
	}
	if err := proveTexts(ctx, db, r, report, add); err != nil {
		return err
	}
	if err := provePages(ctx, db, r, report, left, add); err != nil {
		return err
	}
	if err := o.proveIndexes(ctx, db, add); err != nil {
		return err
	}
	if o.Result.LeftInWAL > 0 {
		for i := range values {
			add(i, "the -wal, which another program keeps from being emptied")
		}
	}
	if err := o.proveFiles(ctx, db, r, add); err != nil {
		return err
	}
	unclean, err := change.UncleanRecords(ctx, db)
	if err != nil {
		return err
	}
	o.Result.UncleanPages = len(unclean) > 0
	o.Result.Proof = nil
	for i, f := range o.chosen {
		o.Result.Proof = append(o.Result.Proof, Proof{f.Rule, o.number[f.Secret], len(left[i]) == 0, append([]string{}, left[i]...)})
	}
	return nil
}

// proveFiles looks at the files that were to be rewritten, a part of each at a time.
func (o *Op) proveFiles(ctx context.Context, db *data.DB, r *redact.Remains, add func(int, string)) error {
	paths := slices.Concat(o.Result.Files, o.Result.unchanged, o.Transcripts)
	slices.Sort(paths)
	for _, path := range slices.Compact(paths) {
		if isStore(path) {
			if err := proveStore(ctx, path, r, add); err != nil {
				return err
			}
			continue
		}
		err := eachPart(ctx, path, func(text string, last bool) (int, error) {
			for _, i := range r.In(text) {
				add(i, path)
			}
			return cutOf(text, last), nil
		})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			db.Warn(fmt.Errorf("look for secrets in %s: %w", path, err))
			for i := range o.chosen {
				add(i, path+", which can't be read")
			}
		}
	}
	return nil
}

// remainsVisitor collects the texts that still have something of a secret.
type remainsVisitor struct {
	remains *redact.Remains
	parts   [][]remain
}

type remain struct {
	secret int
	place  string
}

// Visit implements cells.Visitor.
func (v *remainsVisitor) Visit(part int, cell columntexts.Cell, text string) {
	for _, i := range v.remains.In(text) {
		v.parts[part] = append(v.parts[part], remain{i, cell.Table.Name + "." + cell.Column + " " + cell.KeyText()})
	}
}

func proveTexts(ctx context.Context, db *data.DB, r *redact.Remains, report data.Report, add func(int, string)) error {
	tables, err := columntexts.Tables(ctx, db)
	if err != nil {
		return err
	}
	parts, err := columntexts.Divide(ctx, db, tables)
	if err != nil {
		return err
	}
	v := &remainsVisitor{r, make([][]remain, parts.Len())}
	if err := parts.Visit(ctx, v, "proving that the secrets are gone", report); err != nil {
		return err
	}
	for _, p := range slices.Concat(v.parts...) {
		add(p.secret, p.place)
	}
	return nil
}

// provePages looks at the bytes of the file. What a row has as well is named by that.
func provePages(ctx context.Context, db *data.DB, r *redact.Remains, report data.Report, left [][]string, add func(int, string)) error {
	found := map[int]bool{}
	err := columntexts.EachPage(ctx, db, report, func(_ int64, page []byte) {
		for _, i := range r.In(string(page)) {
			found[i] = true
		}
	})
	for i := range left {
		if found[i] && len(left[i]) == 0 {
			add(i, freePages)
		}
	}
	return err
}

// proveIndexes looks for the words of the secrets in the search tables.
func (o *Op) proveIndexes(ctx context.Context, db *data.DB, add func(int, string)) error {
	for _, search := range db.Schema().FTS {
		if search == data.SummaryTrigrams {
			continue // Its words are of three letters.
		}
		for i, f := range o.chosen {
			has, err := columntexts.IndexHas(ctx, db, search, columntexts.Terms(f.Secret.Reveal()))
			if err != nil {
				return err
			}
			if has {
				add(i, "the index of "+search)
			}
		}
	}
	return nil
}

// Text says in words where a secret still is.
func (p Proof) Text() string {
	if p.Gone {
		return "gone"
	}
	return "still in " + strings.Join(p.StillIn, ", ")
}
