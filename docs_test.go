package main_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

var (
	pageLink    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	pageHeading = regexp.MustCompile(`(?m)^#+ (.+)$`)
	// pageCode matches blocks and spans of code, in which nothing is a link or a heading.
	pageCode = regexp.MustCompile("(?s)```.*?```|`[^`\n]*`")
)

// anchors returns the anchors that a browser finds for the headings of a page.
func anchors(page string) map[string]bool {
	out := map[string]bool{}
	for _, m := range pageHeading.FindAllStringSubmatch(page, -1) {
		out[strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
				return unicode.ToLower(r)
			}
			return -1
		}, m[1])] = true
	}
	return out
}

// brokenLinks returns the relative links of a page that lead to no file or to no heading.
func brokenLinks(path, page string) (out []string) {
	for _, m := range pageLink.FindAllStringSubmatch(pageCode.ReplaceAllString(page, ""), -1) {
		if strings.Contains(m[1], "://") {
			continue
		}
		name, anchor, _ := strings.Cut(m[1], "#")
		target, err := []byte(page), error(nil)
		if name != "" {
			target, err = os.ReadFile(filepath.Join(filepath.Dir(path), filepath.FromSlash(name)))
		}
		if err != nil || anchor != "" && !anchors(pageCode.ReplaceAllStringFunc(string(target), headingCode))[anchor] {
			out = append(out, m[1])
		}
	}
	return out
}

// headingCode keeps the words of a span, which a heading may have, and removes blocks.
func headingCode(code string) string {
	if strings.HasPrefix(code, "```") {
		return ""
	}
	return code
}

// TestLinksOfTheDocumentation: every relative link leads to a file, and every anchor to a heading.
func TestLinksOfTheDocumentation(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob(filepath.Join("docs", "*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatalf("no pages in docs: %v", err)
	}
	readme := ""
	for _, path := range append(pages, "README.md", "CONTRIBUTING.md") {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, link := range brokenLinks(path, string(b)) {
			t.Errorf("%s: %s leads nowhere", path, link)
		}
		if path == "README.md" {
			readme = string(b)
		}
	}
	if len(readme) > 10_000 {
		t.Errorf("README.md has %d bytes, more than 10,000: details belong in docs", len(readme))
	}
	for _, path := range pages {
		if !strings.Contains(readme, "("+filepath.ToSlash(path)+")") {
			t.Errorf("README.md has no link to %s", path)
		}
	}
}

// TestPicturesPreserveSpaces: browsers differ in whether a text inherits this, so that each says it.
func TestPicturesPreserveSpaces(t *testing.T) {
	t.Parallel()
	pictures, err := filepath.Glob(filepath.Join("docs", "pictures", "*.svg"))
	if err != nil || len(pictures) == 0 {
		t.Fatalf("no pictures: %v", err)
	}
	for _, path := range pictures {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all, own := strings.Count(string(b), "<text"), strings.Count(string(b), `<text xml:space="preserve"`)
		if all == 0 || own != all {
			t.Errorf("%s: %d of %d texts preserve their spaces", path, own, all)
		}
	}
}

func TestBrokenLinks(t *testing.T) {
	t.Parallel()
	page := "# A `b` & c\n[a](#a-b--c) [b](#d) [c](none.md) [d](docs/safety.md#none) [e](docs/safety.md#safety) [f](https://example.org/x) `[g](none)`\n```\n# d\n```\n"
	if got := strings.Join(brokenLinks("README.md", page), " "); got != "#d none.md docs/safety.md#none" {
		t.Errorf("%q", got)
	}
}
