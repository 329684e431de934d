// Package provenance answers two questions: where a message went (through which summaries, to
// which places of a context), and from which messages a sentence of a summary came.
//
// The comparison of texts is lexical: it needs no model and no network. A sentence that shares no
// words with its source has no source here. The package reads and computes; it must not write.
package provenance
