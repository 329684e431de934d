// Package samples writes small databases of every schema version for tests, healthy or
// with faults. Only tests may import it.
package samples
