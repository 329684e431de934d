// Package compare compares a transcript with the messages that a conversation
// stores and with the context that a model sees.
//
// It must not write anything, nor decide which messages belong to a conversation: the import
// does that.
package compare
