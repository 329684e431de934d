package data

import (
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode"
)

// OtherMachine is a machine of which this program keeps copies of a database.
type OtherMachine struct {
	Name string
	// AskedAt is when the machine was asked last with success: since then the newest copy is what it had.
	AskedAt time.Time
}

// OtherMachineFile is the name of the file that lies beside copies of another machine's database: it holds the machine's name, and
// its time is when the machine was asked last. Copies are never written to, because the next one takes their place.
const OtherMachineFile = "lcm-tui-copy-of"

// maxMachineName is the size in bytes of the longest name of a machine.
const maxMachineName = 64

// CopyOf returns the machine of which the database at a path is a copy; ok is false where it is none.
func CopyOf(path string) (m OtherMachine, ok bool) {
	mark := filepath.Join(filepath.Dir(path), OtherMachineFile)
	info, err := os.Lstat(mark)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxMachineName {
		return m, false
	}
	name, err := os.ReadFile(mark)
	m = OtherMachine{strings.TrimSpace(string(name)), info.ModTime()}
	return m, err == nil && m.Name != "" && !strings.ContainsFunc(m.Name, func(r rune) bool { return !unicode.IsPrint(r) })
}
