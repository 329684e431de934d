// Package transplant copies the summaries of one conversation into another, with all
// their sources: summaries, messages, parts of messages and large files. The source
// conversation may be in another database, which is only read.
//
// It must not change the source, nor reorder what is in the target's context.
package transplant
