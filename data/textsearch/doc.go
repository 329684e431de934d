// Package textsearch has the statements that find texts in an lcm.db: in its search tables, by
// LIKE where these can't answer, and by reading rows newest first for regular expressions.
//
// It reads through the handle of package data only. It must not decide what a user meant by a
// query, rank across tables, or print anything.
package textsearch
