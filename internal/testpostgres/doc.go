// Package testpostgres gives tests a PostgreSQL server: the one that LCM_TEST_PG names, or one of the
// system that is started for the test binary and ends with it. Only tests may import it.
package testpostgres
