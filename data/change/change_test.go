package change_test

import (
	"lcm-tui/internal/samples"
	"lcm-tui/internal/testdb"
)

// The tests' databases and steps.
var (
	open       = testdb.Open
	dump       = testdb.Dump
	sample     = testdb.Sample
	host       = testdb.OpenHost
	retitle    = testdb.Retitle
	limitPages = testdb.LimitPages
	browse     = testdb.Browse
	execute    = testdb.Execute
	must       = testdb.Must
	beside     = testdb.Beside
	choose     = testdb.Choose
	finish     = testdb.Finish
	preparing  = testdb.Preparing
)

// sampleCache is where the tests' databases come from.
var sampleCache samples.Cache
