package search

import (
	"context"
	"slices"
	"strings"

	"lcm-tui/data/lcm"
	"lcm-tui/data/textsearch"
)

// fileBytes is how much of a large file is searched.
const fileBytes = 512_000

// files searches the names, the descriptions and the contents of large files.
func (r *run) files(ctx context.Context) error {
	all, err := textsearch.Files(ctx, r.db, r.conditions.of(FileKind))
	if err != nil {
		return err
	}
	if r.oldest() {
		slices.Reverse(all)
	}
	for i := range all {
		f := &all[i]
		h := Hit{Kind: FileKind, Conversation: f.Conversation, File: f.ID, FileName: f.Name, At: f.CreatedAt}
		text, ok := r.fileText(f)
		if ok && r.conditions.allows(&h) {
			r.query.describe(&h, text, int64(len(text)))
			if !r.out.found(FileKind, []Hit{h}) {
				return nil
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// fileText returns the text of a file in which the query finds something: what the database knows of
// it, or else that and its content.
func (r *run) fileText(f *lcm.LargeFile) (text string, ok bool) {
	text = strings.TrimSpace(f.Name + "\n" + f.Exploration)
	if r.query.Matches(text) {
		return text, true
	}
	if r.FilesFolder == "" || !isText(f.MIME) {
		return text, false
	}
	content, _, err := lcm.ReadLargeFile(*f, r.FilesFolder, fileBytes)
	if err != nil {
		return text, false // A file that is gone holds nothing; doctor lists it.
	}
	text += "\n" + strings.ToValidUTF8(string(content), "\uFFFD")
	return text, r.query.Matches(text)
}

// isText reports whether a file of a MIME type is a text, as hosts decide it. Without a type it
// may be one.
func isText(mime string) bool {
	if mime == "" || strings.HasPrefix(mime, "text/") {
		return true
	}
	return slices.ContainsFunc([]string{"json", "javascript", "xml", "yaml", "yml", "toml"}, func(s string) bool { return strings.Contains(mime, s) })
}

// focusBriefs searches the prompts and the texts of focus briefs.
func (r *run) focusBriefs(ctx context.Context) error {
	all, err := textsearch.FocusBriefs(ctx, r.db, r.conditions.of(FocusKind))
	if err != nil {
		return err
	}
	if r.oldest() {
		slices.Reverse(all)
	}
	var hits []Hit
	for _, b := range all {
		h := Hit{Kind: FocusKind, Conversation: b.Conversation, Focus: b.ID, At: b.At, InContext: b.Active}
		if r.query.Matches(b.Text) && r.conditions.allows(&h) {
			r.query.describe(&h, b.Text, int64(len(b.Text)))
			hits = append(hits, h)
		}
	}
	r.out.found(FocusKind, hits)
	return nil
}
