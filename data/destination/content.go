package destination

import (
	"bytes"
	"errors"
	"io"

	"lcm-tui/internal/regularfile"
)

// sqliteMarks are the first bytes of the files of SQLite: a database, a -wal in either byte
// order, a -journal.
var sqliteMarks = [][]byte{
	[]byte("SQLite format 3\x00"),
	{0x37, 0x7f, 0x06, 0x82},
	{0x37, 0x7f, 0x06, 0x83},
	{0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7},
}

// checkContent fails with an *Error where a file of SQLite stands. The files of the database in
// hand were refused before, since closing one of them would drop SQLite's locks.
func checkContent(path string) error {
	f, err := regularfile.Open(path)
	if err != nil {
		return err
	}
	head := make([]byte, 16)
	n, err := io.ReadFull(f, head)
	if err := errors.Join(unlessShort(err), f.Close()); err != nil {
		return err
	}
	for _, mark := range sqliteMarks {
		if bytes.HasPrefix(head[:n], mark) {
			return refusal(path, "that is a database, or a part of one")
		}
	}
	return nil
}

// unlessShort returns the error of a read, if it isn't that the file is short.
func unlessShort(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}
