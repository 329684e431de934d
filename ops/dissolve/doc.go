// Package dissolve replaces a condensed summary in a conversation's context by its sources.
// It must not change the sources.
package dissolve
