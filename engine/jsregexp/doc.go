// Package jsregexp runs regular expressions with the meaning that they have in JavaScript
// without flags: case matters, a text is UTF-16 code units, ^ and $ are the ends of the text.
//
// A pattern is parsed here by JavaScript's rules, those for old programs included. Where Go's
// regexp finds the same, it searches, in time linear in the text; the rest goes to regexp2 with
// time limits. The package must not know what the texts are.
package jsregexp
