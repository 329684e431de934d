// Package wire speaks to vendors over HTTP, in the formats of Anthropic and OpenAI that others have
// too: a summary or a turn of a conversation with tools is one request and one answer. It is the only
// place in which a key is read.
//
// It must not repeat a request, nor decide who is asked: a key goes to the one address that it was
// given with, and a redirect is never followed.
package wire
