package integrity

// Identity is the hash by which hosts know a message of a role again, without what
// changes from one delivery to the next.
func Identity(role, content string) string {
	if p, ok := decorated(role, content); ok {
		return identity(role, p.canonical)
	}
	return identity(role, content)
}
