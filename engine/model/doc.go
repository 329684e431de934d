// Package model holds what is common to all models, whichever is asked: the words of a conversation
// with tools, errors and what to do about them, keys that no printing shows, and why an answer stopped.
//
// What makes a model stands in the packages below it: choose finds provider, model and key; wire
// speaks to vendors over HTTP; programs runs claude, codex and other commands; extractive summarizes
// without asking anybody; retry limits a call, checks its answer, and calls again or calls the next.
//
// It must not call anybody, nor read flags, the environment or the database.
package model
