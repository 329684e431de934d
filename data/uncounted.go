package data

import "slices"

// noteUncounted notes a table whose rows a count met damage in.
func (db *DB) noteUncounted(table string) {
	db.mu.Lock()
	defer db.mu.Unlock()
	if !slices.Contains(db.uncounted, table) {
		db.uncounted = append(db.uncounted, table)
		slices.Sort(db.uncounted)
	}
}

// UncountedTables are the tables whose rows couldn't be counted, in order: numbers of them in
// Stats are too low, or missing.
func (db *DB) UncountedTables() []string {
	db.mu.Lock()
	defer db.mu.Unlock()
	return slices.Clone(db.uncounted)
}
