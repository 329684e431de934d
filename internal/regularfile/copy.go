package regularfile

import (
	"context"
	"errors"
	"io"
	"os"
)

// piece is how many bytes are copied between two looks at whether the copy is still wanted.
const piece = 64 << 20

// Copy copies the bytes of a regular file to another path, private to the user. A file that is
// there is replaced.
func Copy(ctx context.Context, from, to string) error {
	in, err := Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	for err == nil && ctx.Err() == nil {
		_, err = io.CopyN(out, in, piece)
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return errors.Join(err, ctx.Err(), out.Close())
}
