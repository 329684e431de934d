// Package faults damages databases for tests: one SQL file makes each fault, and a few
// functions damage the file itself. Only tests may import it.
package faults
