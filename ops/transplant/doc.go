// Package transplant copies the memory of one conversation into another: its
// summaries with everything they were made of, down to the messages, their parts
// and their large files. The source may be in another file, which is only read; it
// must not change the source, nor anything in the target but its context.
package transplant
