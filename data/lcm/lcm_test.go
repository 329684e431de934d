package lcm_test

import "lcm-tui/internal/testdb"

// The tests' databases and steps.
var (
	open      = testdb.Open
	fixture   = testdb.Fixture
	sample    = testdb.Sample
	broken    = testdb.Broken
	host      = testdb.OpenHost
	retitle   = testdb.Retitle
	execute   = testdb.Execute
	wantKind  = testdb.WantKind
	writeText = testdb.WriteText
	must      = testdb.Must
	beside    = testdb.Beside
	choose    = testdb.Choose
	finish    = testdb.Finish
	preparing = testdb.Preparing
)
