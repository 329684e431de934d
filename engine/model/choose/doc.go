// Package choose finds the model: provider, model, address and key, from flags, environment and the
// host's configuration, with what it costs and which models stand in for it. Who names it, and why
// one can't be asked, is part of the answer.
//
// It must not ask anybody. A key goes to the vendor that it belongs to, or to the address that it was
// given for, and to nobody else.
package choose
