// Package extractive summarizes without a model: it picks the sentences that say most and leaves the
// others out. The same source gives the same summary on every machine.
//
// It must not ask anybody, nor write a sentence of its own but the two last lines.
package extractive
