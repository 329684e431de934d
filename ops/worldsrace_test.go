//go:build race

package ops_test

// worlds is how many databases are played on under the race detector, which takes five
// times as long.
const worlds = 20
