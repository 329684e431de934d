package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestThePictureOfThePackagesIsCurrent compares the file in docs/pictures with what the
// code's imports say now.
func TestThePictureOfThePackagesIsCurrent(t *testing.T) {
	t.Parallel()
	module := filepath.Join("..", "..")
	all, err := listPackages(t.Context(), module)
	if err != nil {
		t.Fatal(err)
	}
	drawn, err := os.ReadFile(filepath.Join(module, "docs", "pictures", packagesName+".svg"))
	if err != nil {
		t.Fatal(err)
	}
	if string(drawn) != packagesSVG(all) {
		t.Error("the packages or their imports have changed: go run ./tools/pictures -only " + packagesName)
	}
}

func TestOnlyDirectImportsAreDrawn(t *testing.T) {
	t.Parallel()
	got := directImports([]goPackage{
		{path: "main", imports: []string{"cli", "data", "token"}},
		{path: "cli", imports: []string{"data"}},
		{path: "data", imports: nil},
		{path: "token"},
	})
	want := map[string][]string{"main": {"cli", "token"}, "cli": {"data"}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestEveryPackageHasABand(t *testing.T) {
	t.Parallel()
	all, err := listPackages(t.Context(), filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	boxes, _, _ := placePackages(all, directImports(all))
	for _, p := range all {
		at, ok := boxes[p.path]
		if !ok {
			t.Errorf("%s has no place in the picture: name its folder in bands", p.path)
		}
		if at.x < bandLabel || at.x+at.width > pictureWidth-bandMargin {
			t.Errorf("%s stands from %d to %d, outside of its band", p.path, at.x, at.x+at.width)
		}
	}
}
