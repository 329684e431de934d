package postgres

import (
	"os"
	"os/user"
)

// HostName returns the name of this machine.
func HostName() string {
	name, err := os.Hostname()
	if err != nil || name == "" {
		return "localhost"
	}
	return name
}

// Principal returns who runs this program: the user and the machine.
func Principal() string {
	if u, err := user.Current(); err == nil && u.Username != "" {
		return u.Username + "@" + HostName()
	}
	return HostName()
}
