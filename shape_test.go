package main_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const (
	maxFile     = 400 // lines of a file
	maxTestFile = 600 // lines of a file of tests
	minFile     = 25  // lines of a file, but of tests, doc.go and files of one system
	maxFunction = 80  // lines of a function, from func to its brace
	maxMethods  = 40  // methods of a type
	maxFields   = 20  // fields of a struct
	maxFiles    = 40  // files of a package, without tests
)

// largeUnits are those that are larger, with their size. A size may only get smaller, and then its number
// here, too.
var largeUnits = map[string]int{
	"fields of data/lcm.PendingNode": 25, // The columns of a row of the file.
}

func TestFileSizes(t *testing.T) {
	t.Parallel()
	for _, p := range listPackages(t) {
		tests := slices.Concat(p.TestGoFiles, p.XTestGoFiles)
		for i, f := range tests {
			tests[i] = filepath.Join(p.Dir, f)
		}
		for _, file := range slices.Concat(p.code(), tests) {
			b, err := os.ReadFile(file)
			if err != nil {
				t.Error(err)
				continue
			}
			most := maxFile
			if strings.HasSuffix(file, "_test.go") {
				most = maxTestFile
			}
			if n := bytes.Count(b, []byte("\n")); n > most {
				t.Errorf("%s has %d lines, more than %d: which two ideas are in it?", relativePath(file), n, most)
			}
		}
	}
}

// TestNoTinyFiles: a file is opened for an idea, and a few lines belong to the idea
// next to them.
func TestNoTinyFiles(t *testing.T) {
	t.Parallel()
	for _, p := range listPackages(t) {
		for _, file := range p.code() {
			if filepath.Base(file) == "doc.go" || platformName.MatchString(file) {
				continue
			}
			b, err := os.ReadFile(file)
			if err != nil {
				t.Error(err)
				continue
			}
			n := bytes.Count(b, []byte("\n"))
			if n < minFile && !bytes.Contains(b, []byte("//go:build ")) && !isWhole(p, file) {
				t.Errorf("%s has %d lines, fewer than %d: which file beside it holds the same idea?", relativePath(file), n, minFile)
			}
		}
	}
}

// platformName matches the names of files that are built for one system only.
var platformName = regexp.MustCompile(`_(linux|darwin|windows|freebsd|unix)\.go$`)

// isWhole reports whether a file has all the code of its package: nothing stands beside it.
func isWhole(p pkg, file string) bool {
	return !slices.ContainsFunc(p.code(), func(f string) bool { return f != file && filepath.Base(f) != "doc.go" })
}

func TestFunctionSizes(t *testing.T) {
	t.Parallel()
	eachFile(t, func(set *token.FileSet, f *ast.File) {
		ast.Inspect(f, func(n ast.Node) bool {
			d, ok := n.(*ast.FuncDecl)
			if !ok {
				return true
			}
			from, to := set.Position(d.Pos()), set.Position(d.End())
			if lines := to.Line - from.Line + 1; lines > maxFunction {
				t.Errorf("%s: %s has %d lines, more than %d", positionText(from), d.Name.Name, lines, maxFunction)
			}
			return false
		})
	})
}

// TestUnits: no type has too many methods, no struct too many fields, no package too many files, but for
// largeUnits.
func TestUnits(t *testing.T) {
	t.Parallel()
	sizes := map[string]int{}
	for _, p := range listPackages(t) {
		sizes["files of "+p.short()] = len(p.code())
		for _, path := range p.code() {
			f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range f.Decls {
				if d, ok := d.(*ast.FuncDecl); ok && d.Recv != nil {
					sizes["methods of "+p.short()+"."+receiverName(d)]++
				}
			}
			ast.Inspect(f, func(n ast.Node) bool {
				if s, ok := n.(*ast.TypeSpec); ok {
					if fields, ok := s.Type.(*ast.StructType); ok {
						sizes["fields of "+p.short()+"."+s.Name.Name] = fields.Fields.NumFields()
					}
				}
				return true
			})
		}
	}
	most := map[string]int{"files": maxFiles, "methods": maxMethods, "fields": maxFields}
	for unit, n := range sizes {
		kind, _, _ := strings.Cut(unit, " ")
		switch allowed := largeUnits[unit]; {
		case allowed == 0 && n > most[kind]:
			t.Errorf("%d %s, more than %d: which two ideas are in it?", n, unit, most[kind])
		case n > allowed && allowed > 0:
			t.Errorf("%d %s, more than the %d of largeUnits", n, unit, allowed)
		case n < allowed:
			t.Errorf("%d %s: largeUnits says %d; make the number smaller, or take the line out", n, unit, allowed)
		}
	}
	for unit := range largeUnits {
		if _, ok := sizes[unit]; !ok {
			t.Errorf("largeUnits has %s, which there is no more", unit)
		}
	}
}

// receiverName returns the name of the type whose method d is.
func receiverName(d *ast.FuncDecl) string {
	typ := d.Recv.List[0].Type
	for {
		switch x := typ.(type) {
		case *ast.StarExpr:
			typ = x.X
		case *ast.IndexExpr:
			typ = x.X
		case *ast.IndexListExpr:
			typ = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

func TestExportedNamesAreDocumented(t *testing.T) {
	t.Parallel()
	eachFile(t, func(set *token.FileSet, f *ast.File) {
		for _, d := range f.Decls {
			for _, n := range undocumented(d) {
				t.Errorf("%s: exported %s has no comment", positionText(set.Position(n.Pos())), n.Name)
			}
		}
	})
}

// TestCommentsOfFunctionsSayWhatTheyDo holds the first word of each function's comment after its name: a verb
// in the third person, not what the function "is".
func TestCommentsOfFunctionsSayWhatTheyDo(t *testing.T) {
	t.Parallel()
	eachFile(t, func(set *token.FileSet, f *ast.File) {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Doc == nil {
				continue
			}
			words := strings.Fields(fn.Doc.Text())
			if len(words) > 1 && words[0] == fn.Name.Name && slices.Contains([]string{"is", "are", "was", "were"}, words[1]) {
				t.Errorf("%s: the comment of %s says what it %s; say what it does", positionText(set.Position(fn.Pos())), words[0], words[1])
			}
		}
	})
}

// standardMethods are methods that an interface of the standard library prescribes and
// documents.
var standardMethods = []string{
	"Error", "Unwrap", "Is", "As", "String", "GoString", "Len", "Less", "Swap", "Read", "Write", "Close",
	"MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText", "Scan", "Value", "LogValue",
}

// undocumented lists the exported names of a declaration that no comment
// speaks of. One comment over a group is enough for its constants and
// variables, not for its types.
func undocumented(d ast.Decl) (out []*ast.Ident) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Doc == nil && d.Name.IsExported() && exportedReceiver(d) {
			out = append(out, d.Name)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				if s.Name.IsExported() && s.Doc == nil && s.Comment == nil && (d.Doc == nil || d.Lparen.IsValid()) {
					out = append(out, s.Name)
				}
			case *ast.ValueSpec:
				if s.Doc == nil && s.Comment == nil && d.Doc == nil {
					out = append(out, exported(s.Names)...)
				}
			}
		}
	}
	return out
}

// exportedReceiver: a function, or a method that a reader of the package's
// documentation sees and does not know already.
func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	if slices.Contains(standardMethods, d.Name.Name) {
		return false
	}
	name := receiverName(d)
	return name == "" || ast.IsExported(name)
}

func exported(names []*ast.Ident) (out []*ast.Ident) {
	for _, n := range names {
		if n.IsExported() {
			out = append(out, n)
		}
	}
	return out
}

// eachFile parses every file that is not a test.
func eachFile(t *testing.T, visit func(*token.FileSet, *ast.File)) {
	t.Helper()
	for _, p := range listPackages(t) {
		for _, path := range p.code() {
			set := token.NewFileSet()
			f, err := parser.ParseFile(set, path, nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				t.Error(err)
				continue
			}
			visit(set, f)
		}
	}
}

func positionText(p token.Position) string {
	p.Filename, p.Column = relativePath(p.Filename), 0
	return p.String()
}

// relativePath returns a path as seen from the root of the repository, where tests run.
func relativePath(path string) string {
	if wd, err := os.Getwd(); err == nil {
		if r, err := filepath.Rel(wd, path); err == nil && !strings.HasPrefix(r, "..") {
			return r
		}
	}
	return path
}
