// Package selector says which conversations a prune is about: selectors as an operator gives them,
// what they match, and in which order conversations go. It works on facts that were read before; it
// reads no database and changes nothing.
package selector
