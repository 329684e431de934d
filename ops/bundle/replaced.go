package bundle

import (
	"archive/zip"
	"slices"
)

// NotBundleError says that a file isn't replaced because it is no bundle.
type NotBundleError struct{ Path string }

func (e *NotBundleError) Error() string {
	return "the bundle isn't written: the file at " + e.Path + " is no bundle"
}

// Hint says what to do instead.
func (*NotBundleError) Hint() string {
	return "give the name of a new file; --force replaces nothing but a bundle"
}

// checkBundle fails unless a file is a bundle: a zip file with its first and its last file, and no
// other files than those of a bundle.
func checkBundle(path string) error {
	z, err := zip.OpenReader(path)
	if err != nil {
		return &NotBundleError{path}
	}
	defer z.Close()
	isForeign := func(f *zip.File) bool {
		return !slices.ContainsFunc(files, func(known file) bool { return known.name == f.Name })
	}
	if n := len(z.File); n < 2 || z.File[0].Name != files[0].name || z.File[n-1].Name != files[len(files)-1].name || slices.ContainsFunc(z.File, isForeign) {
		return &NotBundleError{path}
	}
	return nil
}
