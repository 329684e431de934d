package fleet

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"lcm-tui/data/pagestream"
	"lcm-tui/internal/atomicfile"
	"lcm-tui/internal/hint"
)

// temporaryFile is the beginning of a script that needs a private file on another machine, $t. The file goes when the script ends, also by
// a signal: not every shell runs what waits for its end then. What a killed script left goes a day later, with the next one.
const temporaryFile = `umask 077
find "${TMPDIR:-/tmp}" -maxdepth 1 -type f -name 'lcm-tui-fleet.*' -mmin +1440 -exec rm -f {} + 2>/dev/null
t=$(mktemp "${TMPDIR:-/tmp}/lcm-tui-fleet.XXXXXX") || exit 1
trap 'rm -f "$t" "$t-journal"' EXIT
trap 'exit 1' HUP INT TERM PIPE
`

// backupScript has sqlite3 make a copy in a temporary file, which is then printed; it has no name any more while it is sent, which
// takes longest. $1 is the database; without one it is where OpenClaw's plugin keeps it.
const backupScript = `command -v sqlite3 >/dev/null 2>&1 || exit 127
db=${1:-$HOME/.openclaw/lcm.db}
case $db in
"~/"*) db=$HOME/${db#"~/"} ;; # As lcm-tui reads it.
-*) db=./$db ;;
esac
[ -f "$db" ] || { echo "there is no $db" >&2; exit 1; }
` + temporaryFile + `sqlite3 -readonly "$db" ".timeout 10000" ".backup '$t'" >&2 && exec 3<"$t" && rm -f "$t" && cat <&3`

// fetchBySQLite copies the database of a machine that has no lcm-tui but sqlite3: all of it, each time.
func fetchBySQLite(ctx context.Context, src Source, o Options, how pagestream.Receiving, into string) (pagestream.Received, error) {
	cmd := newRemoteShell(ctx, o, src.Host, "sh -c "+quoteWord(backupScript)+" sh "+quoteWord(src.Path))
	got, err := receiveFrom(ctx, cmd, func(out io.Reader) (got pagestream.Received, err error) {
		file, err := atomicfile.Create(into, atomicfile.Options{})
		if err != nil {
			return got, err
		}
		defer file.Discard()
		head := make([]byte, headBytes)
		if _, err := io.ReadFull(out, head); err != nil {
			return got, fmt.Errorf("%w: %w", pagestream.ErrBadStream, err)
		}
		size, err := sizeIn(head)
		if err != nil {
			return got, err
		}
		if how.MaxBytes > 0 && size > how.MaxBytes {
			return got, fmt.Errorf("%w: %d bytes", pagestream.ErrTooLarge, size)
		}
		n, err := io.Copy(file, io.MultiReader(bytes.NewReader(head), io.LimitReader(out, size-headBytes+1)))
		got.Packed, got.Bytes = n, n
		switch {
		case err != nil:
			return got, err
		case n != size:
			return got, fmt.Errorf("%w: %d bytes came of %d", pagestream.ErrBadStream, n, size)
		}
		return got, file.Commit()
	})
	if errors.Is(err, errNotInstalled) {
		return got, &hint.Error{Err: fmt.Errorf("%s: %w, and neither is sqlite3", src.Host, err), Next: "copy the program there, for example scp $(command -v lcm-tui) " + src.Host + ":.local/bin/, and see that ssh " + src.Host + " lcm-tui version works"}
	}
	return got, err
}

// headBytes is the size in bytes of the head of a file of SQLite.
const headBytes = 100

// sizeIn returns the size in bytes of a database, which its head says.
func sizeIn(head []byte) (int64, error) {
	pageSize, pages := int64(binary.BigEndian.Uint16(head[16:])), int64(binary.BigEndian.Uint32(head[28:]))
	if pageSize == 1 {
		pageSize = 65536
	}
	if !bytes.HasPrefix(head, []byte("SQLite format 3\x00")) || pageSize < 512 || pages == 0 {
		return 0, fmt.Errorf("%w: it doesn't begin as a database", pagestream.ErrBadStream)
	}
	return pageSize * pages, nil
}
