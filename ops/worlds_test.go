//go:build !race

package ops_test

// worlds is how many databases are played on.
const worlds = 100
