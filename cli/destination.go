package cli

import (
	"path/filepath"

	"lcm-tui/data"
	"lcm-tui/data/destination"
)

// destinations is the policy for files that the user names, beside an open database.
func (c *invocation) destinations(db *data.DB) *destination.Policy {
	return destination.ForDatabase(db, c.locations)
}

// newFile is the whole path of a file that the user names. It fails where no file may be written.
func (c *invocation) newFile(db *data.DB, name string) (string, error) {
	return checkedPath(c.destinations(db), name)
}

// closedDestinations is the policy for files that the user names where no database is opened.
func (c *invocation) closedDestinations() *destination.Policy {
	l, _ := c.locate() // Its folders are known whatever its configuration says.
	return destination.ForLocations(l)
}

// checkedPath is the whole path of a file that the user names, which a policy must not refuse; empty
// where no name is given.
func checkedPath(p *destination.Policy, name string) (string, error) {
	if name == "" {
		return "", nil
	}
	path, err := filepath.Abs(name)
	if err == nil {
		err = p.Check(path)
	}
	return path, err
}
