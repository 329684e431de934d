//go:build !unix

package testpostgres

// start returns an empty URL: tests start a server on Unix only. Elsewhere LCM_TEST_PG names one.
func start() (string, error) { return "", nil }
