package secrets

// Stopping has an operation call reached at each of its steps.
func (o *Op) Stopping(reached func(step string)) { o.reached = reached }

// PartSize is how much of a file is in memory at once, in bytes.
const PartSize = partSize
