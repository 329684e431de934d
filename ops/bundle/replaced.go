package bundle

import (
	"archive/zip"
	"slices"

	"lcm-tui/internal/hint"
)

// checkBundle fails unless a file is a bundle: a zip file with its first and its last file, and no
// other files than those of a bundle.
func checkBundle(path string) error {
	other := hint.New("the bundle isn't written: the file at "+path+" is no bundle", "give the name of a new file; --force replaces nothing but a bundle")
	z, err := zip.OpenReader(path)
	if err != nil {
		return other
	}
	defer z.Close()
	isForeign := func(f *zip.File) bool {
		return !slices.ContainsFunc(files, func(known file) bool { return known.name == f.Name })
	}
	if n := len(z.File); n < 2 || z.File[0].Name != files[0].name || z.File[n-1].Name != files[len(files)-1].name || slices.ContainsFunc(z.File, isForeign) {
		return other
	}
	return nil
}
