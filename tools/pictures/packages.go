package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// packagesName is the file of the picture of the packages.
const packagesName = "packages"

// goPackage is one of our packages, and which of ours it imports. Both are paths within the module; the
// program itself is "main".
type goPackage struct {
	path    string
	imports []string
}

// writePackages draws the packages of the module in the working folder.
func writePackages(ctx context.Context, dir string, out io.Writer) error {
	all, err := listPackages(ctx, ".")
	if err != nil {
		return err
	}
	if err := writeFile(filepath.Join(dir, packagesName+".svg"), packagesSVG(all)); err != nil {
		return err
	}
	fmt.Fprintln(out, packagesName)
	return nil
}

// listPackages asks go list for the packages of the module in a folder. Imports of
// tests do not count.
func listPackages(ctx context.Context, folder string) ([]goPackage, error) {
	list := exec.CommandContext(ctx, "go", "list", "-json=ImportPath,Imports,Module", "./...")
	list.Dir = folder
	text, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("list the packages: %w", err)
	}
	var all []goPackage
	for d := json.NewDecoder(strings.NewReader(string(text))); ; {
		var p struct {
			ImportPath string
			Imports    []string
			Module     struct{ Path string }
		}
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("read the list of packages: %w", err)
		}
		g := goPackage{path: withinModule(p.ImportPath, p.Module.Path)}
		for _, i := range p.Imports {
			if strings.HasPrefix(i, p.Module.Path+"/") {
				g.imports = append(g.imports, withinModule(i, p.Module.Path))
			}
		}
		all = append(all, g)
	}
}

func withinModule(path, module string) string {
	if path == module {
		return "main"
	}
	return strings.TrimPrefix(path, module+"/")
}

// directImports returns the imports that the others of the same package do not already
// lead to. Where A imports B and C, and B imports C, the picture shows only A → B → C.
func directImports(all []goPackage) map[string][]string {
	byPath := map[string]goPackage{}
	for _, p := range all {
		byPath[p.path] = p
	}
	reach := map[string]map[string]bool{}
	var reached func(path string) map[string]bool
	reached = func(path string) map[string]bool {
		if reach[path] == nil {
			reach[path] = map[string]bool{}
			for _, i := range byPath[path].imports {
				reach[path][i] = true
				for j := range reached(i) {
					reach[path][j] = true
				}
			}
		}
		return reach[path]
	}
	direct := map[string][]string{}
	for _, p := range all {
		for _, i := range p.imports {
			indirect := slices.ContainsFunc(p.imports, func(other string) bool { return reached(other)[i] })
			if !indirect {
				direct[p.path] = append(direct[p.path], i)
			}
		}
	}
	return direct
}
