//go:build !unix

package testpostgres

import "testing"

// start returns an empty URL: tests start a server on Unix only. Elsewhere LCM_TEST_PG names one.
func start() (string, error) { return "", nil }

// Pooled skips the test: PgBouncer is started on Unix only.
func Pooled(t testing.TB, _ string, _ int) string {
	t.Helper()
	t.Skip("PgBouncer is started on Unix only")
	return ""
}
