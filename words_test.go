package main_test

import (
	"go/ast"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// glossary has the words that the project has another word for: a reader would have to
// learn them first. Words that are right in another sense, as a foreign key or a clean
// path, are not in it. An entry of several words is looked for as they stand.
var glossary = []struct{ say, not string }{
	{"repair", "mend, mends, mended, mending, mender, unmend, unmended, heal, heals, healed, healing"},
	{"symptom", "disease, diseases, ailment, ailments"},
	{"finding, or fault", "harm, harms, harmed, harmless, harmlessly, told of, is told, are told, be told"},
	{"regenerate, or rewrite", "anew, remake, remakes, remade, remaking, reworded, reword"},
	{"undo", "take back, takes back, taken back, took back, taking back"},
	{"duplicate", "twin, twins, said twice"},
	{"orphan, unreferenced or dangling", "homeless, stray, strays, strayed, stranded"},
	{"link or edge", "tie, ties, tied, tying, untie, unties, untied, hang on, hangs on"},
	{"oversized", "swollen"},
	{"source conversation", "donor, donors"},
	{"scan", "talk, talks, talked, heard, hear, hears"},
	{"action", "deed, deeds"},
	{"flags", "workshop"},
	{"error output", "complain, complains, complained, complaint, complaints"},
	{"estimate or cost", "foresee, foresees, foreseen, foresaw, what it comes to"},
	{"cached answer", "kept answer, kept answers"},
	{"header, preview or full text", "slim"},
	{"damaged summary", "garbage"},
	{"other commands", "besides"},
	{"generate a summary", "have it summarised, have it summarized"},
	{"a plain word", "moody, dear"},
}

// nameGlossary has words that are plain in a sentence, but say nothing as a part of a name.
var nameGlossary = []struct{ say, not string }{
	{"text, or scanned message", "said"},
	{"report, list", "told"},
}

// allowedWords are the places where a word of the glossary is right.
var allowedWords = []struct{ path, word, reason string }{
	{"words_test.go", "*", "the glossary"},
	{"ops/salvage/result.go", "strays", "a JSON key that scripts read"},
	{"engine/retrieve/grepgolden_test.go", "ties", "JSON keys of the goldens"},
}

// TestWordsOfTheGlossary: names, comments, texts, documentation and scripts use one word
// for one thing.
func TestWordsOfTheGlossary(t *testing.T) {
	t.Parallel()
	sentences, names := phrasesOf(glossary), phrasesOf(glossary)
	for phrase, say := range phrasesOf(nameGlossary) {
		names[phrase] = say
	}
	used := make([]bool, len(allowedWords))
	known := map[string][]string{} // The phrases of names: the same ones stand in many places.
	eachText(t, func(path string, line int, text string, isName bool) {
		var found []string
		if isName {
			var some bool
			if found, some = known[text]; !some {
				found = phrasesIn(text, names)
				known[text] = found
			}
		} else {
			found = phrasesIn(text, sentences)
		}
		for _, phrase := range found {
			word := strings.TrimSpace(phrase)
			if i := slices.IndexFunc(allowedWords, func(a struct{ path, word, reason string }) bool {
				return a.path == path && (a.word == word || a.word == "*")
			}); i >= 0 {
				used[i] = true
				continue
			}
			say := sentences[phrase]
			if isName {
				say = names[phrase]
			}
			t.Errorf("%s:%d: %q: say %s", path, line, word, say)
		}
	})
	for i, a := range allowedWords {
		if !used[i] {
			t.Errorf("%s has no %q any more: the exception can go", a.path, a.word)
		}
	}
}

// phrasesIn returns those of the phrases that stand in a text.
func phrasesIn(text string, phrases map[string]string) (found []string) {
	words := wordsOf(text)
	for phrase := range phrases {
		if strings.Contains(words, phrase) {
			found = append(found, phrase)
		}
	}
	return found
}

// phrasesOf returns the words that a glossary replaces, between spaces as in wordsOf.
func phrasesOf(glossary []struct{ say, not string }) map[string]string {
	phrases := map[string]string{}
	for _, g := range glossary {
		for word := range strings.SplitSeq(g.not, ", ") {
			phrases[" "+word+" "] = g.say
		}
	}
	return phrases
}

// escapeSequence matches one in a string of Go, whose letter is no part of a word.
var escapeSequence = regexp.MustCompile(`\\[abfnrtv]`)

// wordsOf returns the words of a text in lower case with a space around each; a name is split
// at its capitals: foundTwice has two words.
func wordsOf(text string) string {
	var b strings.Builder
	b.WriteByte(' ')
	wasLower, wasLetter := false, false
	for _, r := range escapeSequence.ReplaceAllString(text, " ") {
		isLetter := unicode.IsLetter(r)
		if wasLetter && (!isLetter || wasLower && unicode.IsUpper(r)) {
			b.WriteByte(' ')
		}
		if isLetter {
			b.WriteRune(unicode.ToLower(r))
		}
		wasLower, wasLetter = unicode.IsLower(r), isLetter
	}
	b.WriteByte(' ')
	return b.String()
}

func TestWordsOf(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"foundTwice":        " found twice ",
		"rawText, as_it is": " raw text as it is ",
		`"a\nmend"`:         " a mend ",
		"amended":           " amended ",
	} {
		if got := strings.Join(strings.Fields(wordsOf(text)), " "); " "+got+" " != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// eachText visits the names, comments and strings of every Go file, and the lines of the
// documentation and of the scripts.
func eachText(t *testing.T, visit func(path string, line int, text string, isName bool)) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		ext := filepath.Ext(path)
		switch {
		case d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != ".":
			return filepath.SkipDir
		case d.IsDir() || !slices.Contains([]string{".go", ".md", ".txtar"}, ext):
			return nil
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		path = filepath.ToSlash(path)
		if ext == ".go" {
			eachToken(path, b, visit)
			return nil
		}
		for i, line := range strings.Split(string(b), "\n") {
			visit(path, i+1, line, false)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// eachToken visits the names, comments and strings of a Go file.
func eachToken(path string, code []byte, visit func(path string, line int, text string, isName bool)) {
	file := token.NewFileSet().AddFile(path, -1, len(code))
	var s scanner.Scanner
	s.Init(file, code, nil, scanner.ScanComments)
	for {
		pos, tok, text := s.Scan()
		switch tok {
		case token.EOF:
			return
		case token.IDENT, token.COMMENT, token.STRING:
			for i, line := range strings.Split(text, "\n") {
				visit(path, file.Line(pos)+i, line, tok == token.IDENT)
			}
		}
	}
}

// TestHintsForScreensNameNoCommands: on a screen no command can be typed and no flag given.
func TestHintsForScreensNameNoCommands(t *testing.T) {
	t.Parallel()
	checked := 0
	eachFile(t, func(set *token.FileSet, f *ast.File) {
		check := func(n ast.Node) bool {
			if text, ok := n.(*ast.BasicLit); ok {
				if checked++; strings.Contains(text.Value, "--") || strings.Contains(text.Value, "lcm-tui ") {
					t.Errorf("%s: %s", positionText(set.Position(text.Pos())), text.Value)
				}
			}
			return true
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.KeyValueExpr:
				if field, ok := n.Key.(*ast.Ident); ok && strings.HasSuffix(field.Name, "OnScreen") {
					ast.Inspect(n.Value, check)
				}
			case *ast.AssignStmt:
				for i, left := range n.Lhs {
					if field, ok := left.(*ast.SelectorExpr); ok && field.Sel.Name == "OnScreen" && len(n.Lhs) == len(n.Rhs) {
						ast.Inspect(n.Rhs[i], check)
					}
				}
			}
			return true
		})
	})
	if checked < 10 {
		t.Errorf("only %d texts were found", checked)
	}
}
