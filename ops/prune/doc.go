// Package prune plans what is removed from a database to make it smaller: copies of texts, texts and
// payloads below summaries, and whole conversations. It says of each conversation why it qualifies or
// why it is left, and how large the file would be; the statements are in removal.
package prune
