// Package pending judges what hosts of the 1.0 generation prepare in the background: whether
// the host would publish a pending batch now, and why not, which part of the context it would
// replace, and which summary it would ask a model for next.
//
// It follows the host's rules and fingerprints. It must not write, ask a model, or ask anybody
// for the time.
package pending
