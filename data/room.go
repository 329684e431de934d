package data

import (
	"fmt"

	"github.com/dustin/go-humanize"

	"lcm-tui/internal/filesystem"
	"lcm-tui/internal/hint"
)

// CheckRoom fails with ErrFull where the disk of a folder is known to have less room than the bytes that are needed.
// What to do about it is next, and onScreen where no command can be typed.
func CheckRoom(folder string, needed int64, next, onScreen string) error {
	free, known := filesystem.FreeSpace(folder)
	if !known || free >= needed {
		return nil
	}
	of, there := humanize.Bytes(uint64(needed)), humanize.Bytes(uint64(max(0, free)))
	if of == there {
		of, there = humanize.Comma(needed)+" bytes", humanize.Comma(free)+" bytes"
	}
	return &hint.Error{
		Text: fmt.Sprintf("%s of free disk are needed in %s, and there are %s", of, folder, there), Next: next, OnScreen: onScreen, Err: ErrFull,
	}
}
