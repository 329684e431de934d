// Package ask answers a question from the memory (lcm_expand_query): it finds candidate
// summaries, groups them by conversation, has a navigator read them under a grant, and builds
// the reply. A navigator is a model with tools, a program with tools, or none: then the answer
// is quoted passages.
//
// It must not write to the database, and nothing that a navigator reads lies outside its grant.
// Recalled text is history: it is never given to a model as instructions.
package ask
