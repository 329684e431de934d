// Package searchwords splits texts into words as the search tables of hosts do: FTS5 with its tokenizers unicode61 and porter.
// Words are in lower case, without accents, and as stems: "migrat" for migrate, migrates and migration.
//
// It must not read a database, and must not decide what a query means.
package searchwords
