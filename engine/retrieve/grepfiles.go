package retrieve

import (
	"slices"
	"strings"
	"time"

	"lcm-tui/data/jstext"
	"lcm-tui/data/lcm"
	"lcm-tui/data/textsearch"
	"lcm-tui/engine/jsregexp"
	"lcm-tui/internal/plural"
)

// GrepFile is a place in a large file that a grep found.
type GrepFile struct {
	ID           string  `json:"fileId"`
	Conversation int64   `json:"conversationId"`
	Name         *string `json:"fileName"`
	Match        string  `json:"matchedText"`
	Line         int64   `json:"lineNumber"`
	Offset       int64   `json:"byteOffset"` // In the decoded text.
	Snippet      string  `json:"snippet"`
	Scanned      int64   `json:"scannedBytes"`
	ScanLimit    int64   `json:"scanByteLimit"`
	Truncated    bool    `json:"scanTruncated"`
	CreatedAt    Instant `json:"createdAt"`
}

const (
	mostMatchesAFile  = 10
	fileSnippetMargin = 80
)

// files searches the newest large files that are text.
func (g *grep) files() error {
	find := g.fileFinder()
	if find == nil {
		return nil
	}
	files, err := textsearch.Files(g.ctx, g.db, g.fileConditions())
	until, unread := time.Now().Add(g.r.MaxTime), 0
	for _, f := range files {
		if err := g.ctx.Err(); err != nil {
			return err
		}
		if int64(len(g.out.Files)) >= g.r.Limit {
			break
		}
		if !isTextType(f) {
			continue
		}
		if time.Now().After(until) {
			g.note("the search was stopped early, before " + f.ID + ": it and older files were not searched")
			break
		}
		raw, more, err := lcm.ReadLargeFile(f, g.r.Folder, MostFileBytes)
		if err != nil { // It isn't there, or lies outside of the folder.
			unread++
			continue
		}
		g.addFile(f, jstext.Decode(string(raw)), int64(len(raw)), more, find)
	}
	if unread > 0 {
		g.note(plural.Count(unread, "file", "files") + " can't be read on this machine: what is in them was not searched")
	}
	return err
}

func (g *grep) fileConditions() (out []textsearch.Condition) {
	if len(g.r.Files) > 0 {
		out = append(out, textsearch.Condition{Files: g.r.Files})
	}
	if !g.out.scope.All() {
		out = append(out, textsearch.Condition{Conversations: g.out.scope.IDs()})
	}
	if w := g.out.window; w.limited() {
		out = append(out, textsearch.Condition{Times: []textsearch.TimeRange{{From: w.since.time, Until: w.before.time}}})
	}
	return out
}

// fileFinder finds at most ten places in a text; nil finds nothing in any.
func (g *grep) fileFinder() func(text string) []jsregexp.Match {
	if g.r.Mode == Regex {
		re := g.expression()
		if re == nil {
			return nil
		}
		return func(text string) []jsregexp.Match {
			found, err := re.FindAll(text, mostMatchesAFile)
			if err != nil {
				g.note("the pattern took too long on a file, of which not all places are given")
			}
			return found
		}
	}
	var terms []string
	for _, t := range tokens(g.r.Pattern) {
		if t = jstext.Lower(strings.ReplaceAll(t, `"`, "")); t != "" {
			terms = append(terms, t)
		}
	}
	if len(terms) == 0 {
		return nil
	}
	return func(text string) []jsregexp.Match { return termPlaces(text, terms) }
}

// termPlaces returns the places of the first term in a text that has all of them.
func termPlaces(text string, terms []string) (out []jsregexp.Match) {
	folded := jstext.Lower(text)
	if !containsAll(folded, terms) {
		return nil
	}
	length, units, from := jstext.Length(terms[0]), 0, 0
	for len(out) < mostMatchesAFile {
		i := strings.Index(folded[from:], terms[0])
		if i < 0 {
			break
		}
		units += jstext.Length(folded[from : from+i])
		out = append(out, jsregexp.Match{Start: units, End: units + length, Text: jstext.Slice(text, units, units+length)})
		units += length
		from += i + len(terms[0])
	}
	return out
}

func (g *grep) addFile(f lcm.LargeFile, text string, scanned int64, more bool, find func(string) []jsregexp.Match) {
	var name *string
	if f.Name != "" {
		name = new(jstext.Decode(f.Name))
	}
	for _, m := range find(text) {
		if int64(len(g.out.Files)) >= g.r.Limit {
			return
		}
		before := jstext.Slice(text, 0, m.Start)
		snippet := strings.ReplaceAll(excerpt(text, m.Start-fileSnippetMargin, m.End+fileSnippetMargin), "\n", " ")
		g.out.Files = append(g.out.Files, GrepFile{
			ID: f.ID, Conversation: f.Conversation, Name: name, Match: m.Text, Line: int64(strings.Count(before, "\n")) + 1, Offset: int64(len(before)),
			Snippet: snippet, Scanned: scanned, ScanLimit: MostFileBytes, Truncated: more, CreatedAt: Instant(f.CreatedAt),
		})
	}
}

// isTextType reports whether a file is searched: its type is text, or isn't known.
func isTextType(f lcm.LargeFile) bool {
	mime := strings.ToLower(f.MIME)
	return mime == "" || strings.HasPrefix(mime, "text/") ||
		slices.ContainsFunc([]string{"json", "javascript", "xml", "yaml", "yml", "toml"}, func(s string) bool { return strings.Contains(mime, s) })
}
