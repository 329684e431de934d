// Package salvage reads what is left of a damaged database and builds a new file from it:
// page by page, without SQLite and without trusting a page. The new file gets its name when it
// is whole and checked.
//
// It must not write to the damaged file, and no handle of this process may be open on that.
// It decides nothing about what rows mean: what they break is for engine/integrity to find.
package salvage
