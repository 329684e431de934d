package summarize_test

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// hashed is what the models of the whole databases begin their summaries with: the
// hash of the source text that they were given.
var hashed = regexp.MustCompile(`^(?:S\d+:|Summary )([0-9a-f]{8,12}):? `)

// zones are those of the settings that the databases were made with; the others are
// in UTC.
var zones = map[string]string{"hard/cjk1.db": "Asia/Tokyo", "hard/compaction/cjk.db": "Asia/Tokyo"}

// TestHashes makes the source text of every summary in the reference's databases
// again and compares it by its hash.
func TestHashes(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, folder := range []string{"v0.15.3", "hard", "hard/compaction", "v1.0"} {
		for _, path := range testdb.FixtureFiles(t, folder+"/*.db") {
			name := folder + "/" + filepath.Base(path)
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				c := sourceCheck{T: t, db: open(t, path), form: form(), later: folder == "v1.0"}
				c.form.Zone = summarize.Zone(cmp.Or(zones[name], "UTC"))
				t.Logf("%d source texts", c.all())
			})
		}
	}
}

// sourceCheck compares the source texts of a database.
type sourceCheck struct {
	*testing.T
	db   *data.DB
	form summarize.Form
	// later is whether a host of the 1.0 generation wrote to it, which puts other
	// headings above the same texts.
	later bool
}

func (c sourceCheck) all() (n int) {
	convs, err := lcm.Conversations(c.Context(), c.db)
	if err != nil {
		c.Fatal(err)
	}
	for _, conv := range convs {
		all, err := lcm.Summaries(c.Context(), c.db, conv.ID, data.WholeText)
		if err != nil {
			c.Fatal(err)
		}
		links, err := lcm.Links(c.Context(), c.db, conv.ID)
		if err != nil {
			c.Fatal(err)
		}
		for _, s := range all {
			if c.compare(s, c.sources(s, all, links)) {
				n++
			}
		}
	}
	if n == 0 {
		c.Error("no source text was compared")
	}
	return n
}

// sources returns the source texts that a summary may have been made of.
func (c sourceCheck) sources(s lcm.Summary, all []lcm.Summary, links []lcm.Link) []string {
	if s.Depth > 0 {
		if c.later {
			return nil
		}
		var sources []lcm.Summary
		for _, l := range links {
			if l.Summary == s.ID {
				i := slices.IndexFunc(all, func(o lcm.Summary) bool { return o.ID == l.Source })
				sources = append(sources, all[i])
			}
		}
		return []string{c.form.Condensed(sources)}
	}
	ms, err := lcm.LeafMessages(c.Context(), c.db, s.ID)
	if err != nil {
		c.Fatal(err)
	}
	texts := []string{c.form.Leaf(ms)}
	if c.later {
		texts = append(texts, c.laterLeaf(ms))
	}
	return texts
}

// laterLeaf returns the source of a leaf as a host of the 1.0 generation writes it.
func (c sourceCheck) laterLeaf(messages []lcm.Message) string {
	var out []string
	for _, m := range messages {
		if body := c.form.Body(m); body != "" {
			out = append(out, "["+data.FormatTimeMillis(m.CreatedAt.Time)+" | "+m.Role+"]\n"+body)
		}
	}
	return strings.Join(out, "\n\n")
}

// compare reports whether a summary could be held against its source.
func (c sourceCheck) compare(s lcm.Summary, texts []string) bool {
	m := hashed.FindStringSubmatch(s.Content)
	switch {
	case len(texts) == 0 || texts[0] == "":
		return false
	case m != nil:
		if !slices.ContainsFunc(texts, func(text string) bool {
			sum := sha256.Sum256([]byte(text))
			return strings.HasPrefix(hex.EncodeToString(sum[:]), m[1])
		}) {
			c.Errorf("the source of %s (depth %d) is another than the reference's:\n%s\n%s", s.ID, s.Depth, texts[0], s.Content)
		}
		return true
	case strings.HasPrefix(s.Content, "[20") && s.Depth == 0 && !c.later:
		compareCopy(c.T, s, texts[0])
		return true
	}
	return false
}
