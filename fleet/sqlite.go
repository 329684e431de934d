package fleet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"lcm-tui/data/pagestream"
	"lcm-tui/internal/atomicfile"
	"lcm-tui/internal/hint"
)

// backupScript has sqlite3 make a copy in a temporary file, which is then printed. $1 is the database; without one it is
// where OpenClaw's plugin keeps it.
const backupScript = `command -v sqlite3 >/dev/null 2>&1 || exit 127
db=${1:-$HOME/.openclaw/lcm.db}
[ -f "$db" ] || { echo "there is no $db" >&2; exit 1; }
umask 077
t=$(mktemp) || exit 1
trap 'rm -f "$t"' EXIT
sqlite3 -readonly "$db" ".timeout 10000" ".backup '$t'" >&2 && cat "$t"`

// fetchBySQLite copies the database of a machine that has no lcm-tui but sqlite3: all of it, each time.
func fetchBySQLite(ctx context.Context, src Source, o Options, how pagestream.Receiving, into string) (pagestream.Received, error) {
	cmd := newRemoteShell(ctx, o, src.Host, "sh -c "+quoteWord(backupScript)+" sh "+quoteWord(src.Path))
	got, err := receiveFrom(ctx, cmd, func(out io.Reader) (got pagestream.Received, err error) {
		file, err := atomicfile.Create(into, atomicfile.Options{})
		if err != nil {
			return got, err
		}
		defer file.Discard()
		most := how.MaxBytes
		if most == 0 {
			most = 1 << 62
		}
		n, err := io.Copy(file, io.LimitReader(out, most+1))
		got.Packed, got.Bytes = n, n
		switch {
		case err != nil:
			return got, err
		case n > most:
			return got, pagestream.ErrTooLarge
		case n == 0:
			return got, fmt.Errorf("%w: nothing came", pagestream.ErrBadStream)
		}
		return got, file.Commit()
	})
	if errors.Is(err, errNotInstalled) {
		return got, &hint.Error{Err: fmt.Errorf("%s: %w, and neither is sqlite3", src.Host, err), Next: "copy the program there, for example scp $(command -v lcm-tui) " + src.Host + ":.local/bin/, and see that ssh " + src.Host + " lcm-tui version works"}
	}
	if err == nil {
		err = checkEnd(into, got.Bytes)
	}
	return got, err
}

// checkEnd refuses a copy whose end is missing: its first page says how many pages there are.
func checkEnd(path string, bytes int64) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	head := make([]byte, 100)
	if _, err := io.ReadFull(f, head); err != nil {
		err = fmt.Errorf("%w: %w", pagestream.ErrBadStream, err)
		return errors.Join(err, os.Remove(path))
	}
	pageSize, pages := int64(head[16])<<8|int64(head[17]), int64(head[28])<<24|int64(head[29])<<16|int64(head[30])<<8|int64(head[31])
	if pageSize == 1 {
		pageSize = 65536
	}
	if pageSize*pages != bytes {
		return errors.Join(fmt.Errorf("%w: %d bytes came of %d", pagestream.ErrBadStream, bytes, pageSize*pages), os.Remove(path))
	}
	return nil
}
