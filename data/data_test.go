package data_test

import "lcm-tui/internal/testdb"

// The tests' databases and steps.
var (
	open      = testdb.Open
	dump      = testdb.Dump
	fixture   = testdb.Fixture
	sample    = testdb.Sample
	broken    = testdb.Broken
	host      = testdb.OpenHost
	retitle   = testdb.Retitle
	browse    = testdb.Browse
	execute   = testdb.Execute
	wantKind  = testdb.WantKind
	writeText = testdb.WriteText
	must      = testdb.Must
)
