// Package plural is numbers with their nouns in the texts for users: 1 row, 4,147 rows.
//
// It stands below every package that writes such texts, so that a screen, a command, a
// plan and a finding count alike. It must not know what is counted.
package plural
