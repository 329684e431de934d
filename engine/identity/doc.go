// Package identity is how the host knows a message again: the hash of its role and
// content, and of a content that begins with what a channel says about a user's
// message the form without what changes from one delivery to the next. It must not
// read or write: it is given texts.
package identity
