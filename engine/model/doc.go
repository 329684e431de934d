// Package model asks for summaries: vendors over HTTP, the claude and codex
// programs, any other command, or nobody, with the extractive summarizer that is
// built in.
//
// It must not decide what is summarized or whether a summary is small enough, nor
// touch the database. A key goes to the vendor it belongs to and to nobody else.
package model
