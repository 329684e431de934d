// Package testpostgres gives tests a PostgreSQL server: the one that LCM_TEST_PG names, or one of the
// system, or of the folder that LCM_TEST_PG_PROGRAMS names, that is started for the test binary and ends
// with it. Only tests may import it.
package testpostgres
