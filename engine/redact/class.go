package redact

import "slices"

// Class says how certain it is that a finding is a secret.
type Class string

// The classes, the most certain first.
const (
	// Sure is the format of a vendor with its prefix and length, a private key, a JSON web token
	// whose header can be read, or the password of a URL.
	Sure Class = "sure"
	// Likely is a random value that is assigned to a name such as api_key.
	Likely Class = "likely"
	// Maybe is what a sentence calls a password.
	Maybe Class = "maybe"
)

// Classes returns all classes, the most certain first.
func Classes() []Class { return []Class{Sure, Likely, Maybe} }

// AtLeast reports whether the class is as certain as another one, or more.
func (c Class) AtLeast(other Class) bool {
	return slices.Index(Classes(), c) <= slices.Index(Classes(), other)
}

// IsValid reports whether there is such a class.
func (c Class) IsValid() bool { return slices.Contains(Classes(), c) }
