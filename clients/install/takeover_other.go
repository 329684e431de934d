//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package install

// exclusively calls fn: these systems have no lock that ends with its process.
func exclusively(_ string, fn func() error) error { return fn() }
