// Package proof proves that texts are gone: it writes receipts of what was forgotten, which hold digests and no text,
// looks for what is left of the texts in every table, page and file that it knows of, and says what it didn't look at.
// It changes no row and no file but its receipts.
package proof
