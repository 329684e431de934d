// Package explore says in a few lines what is in a payload, for a model that is
// shown these lines instead of it. It asks no model: the same payload gives the
// same lines. It must not read or write files; it is given the payload.
package explore
