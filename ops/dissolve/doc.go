// Package dissolve takes a condensed summary out of a conversation's context and
// puts the summaries that it was made of back in its place.
package dissolve
