package pagestream

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/klauspost/compress/zstd"

	"lcm-tui/data"
)

// magic begins a stream. What follows is packed as zstd: a header, the pages that are sent, and a trailer.
const magic = "lcm-tui pages 1 zstd\n"

// Header says what a stream holds.
type Header struct {
	Stamp     string `json:"stamp"`               // Of the state that is sent.
	Base      string `json:"base,omitempty"`      // Of the state from which pages are left out that are the same; empty where none is.
	Unchanged bool   `json:"unchanged,omitempty"` // The state is still that of Base, and nothing else is sent.
	PageSize  int    `json:"page_size"`
	Pages     int64  `json:"pages"` // Of the whole file.
}

// trailer ends a stream: it proves that nothing of it is missing.
type trailer struct {
	Sent int64  `json:"sent"` // How many pages the stream holds.
	Root string `json:"root"` // Of the digests of all pages of the file.
}

// Sending is what is sent, and how.
type Sending struct {
	// Since is the stamp of the state that the receiver has. If it isn't known here, everything is sent.
	Since string
	// Folder is where the digests of sent states are kept, so that the next stream is short; empty is nowhere.
	Folder string
	Report data.Report
}

// Sent is what Send sent.
type Sent struct {
	Header
	Changed int64 // How many pages were sent.
}

// Send writes the database as it is at this moment, page by page in one read transaction that holds no
// lock. What it writes depends on nothing but the pages, so the receiver's file is equal byte by byte to what
// the transaction saw.
func Send(ctx context.Context, db *data.DB, s Sending, w io.Writer) (Sent, error) {
	stamp, settled := StampOf(db)
	if settled && stamp == s.Since {
		out := Sent{Header: Header{Stamp: stamp, Base: stamp, Unchanged: true}}
		return out, writePacked(w, func(w io.Writer) error { return writeJSON(w, out.Header) })
	}
	base := readDigests(s.Folder, s.Since)
	var out Sent
	var now *pageDigests
	err := writePacked(w, func(w io.Writer) error {
		return db.Snapshot(ctx, "send", func(t *data.Tx) (err error) {
			out, now, err = sendPages(ctx, t.Conn, Header{Stamp: stamp, Base: s.Since}, base, s.Report, w)
			return err
		})
	})
	if err == nil && s.Folder != "" {
		// Without it the next stream is longer, and as right.
		_ = now.write(s.Folder, stamp)
	}
	return out, err
}

// sendPages writes the header, the pages that base doesn't have, and the trailer.
func sendPages(ctx context.Context, conn *sql.Conn, h Header, base *pageDigests, report data.Report, w io.Writer) (out Sent, now *pageDigests, err error) {
	for query, to := range map[string]any{"PRAGMA page_size": &h.PageSize, "PRAGMA page_count": &h.Pages} {
		if err := conn.QueryRowContext(ctx, query).Scan(to); err != nil {
			return out, nil, err
		}
	}
	if base == nil || base.pageSize != h.PageSize {
		base, h.Base = nil, ""
	}
	if err := writeJSON(w, h); err != nil {
		return out, nil, err
	}
	out.Header, now = h, &pageDigests{pageSize: h.PageSize, pages: make([]digest, 0, h.Pages)}
	err = data.EachRow(ctx, conn, "SELECT pgno, data FROM sqlite_dbpage ORDER BY pgno", nil, func(scan data.RowScanner) error {
		var number int64
		var page sql.RawBytes
		if err := scan(&number, &page); err != nil {
			return err
		}
		is := digestOf(page)
		now.pages = append(now.pages, is)
		if number%reportEach == 0 && report != nil {
			report(int(number), int(h.Pages), "sending pages")
		}
		if was, ok := base.at(number); ok && was == is {
			return nil
		}
		out.Changed++
		return writePage(w, number, page)
	})
	if err == nil && int64(len(now.pages)) != h.Pages {
		err = fmt.Errorf("%d pages were read of %d", len(now.pages), h.Pages)
	}
	if err == nil {
		err = binary.Write(w, binary.BigEndian, uint32(0))
	}
	if err == nil {
		err = writeJSON(w, trailer{out.Changed, now.root()})
	}
	return out, now, err
}

// reportEach is after how many pages progress is reported.
const reportEach = 4096

// settleTime is how old the newest write has to be for a stamp to say that nothing changed: file systems tell
// two writes apart only after some milliseconds, those over a network after a second.
const settleTime = 2 * time.Second

// StampOf returns a text that changes with every write: of the sizes and times of the file and its -wal. An empty -wal,
// which reading makes, is as none. A stamp that isn't settled is never equal to another one.
func StampOf(db *data.DB) (stamp string, settled bool) {
	h := sha256.New()
	var newest time.Time
	for _, path := range []string{db.Path(), db.Path() + data.WALSuffix} {
		info, err := os.Stat(path)
		if err != nil || info.Size() == 0 { // Where no host has it open, SQLite makes an empty -wal for each of our own reads.
			fmt.Fprintln(h, "none")
			continue
		}
		fmt.Fprintln(h, info.Size(), info.ModTime().UnixNano())
		if info.ModTime().After(newest) {
			newest = info.ModTime()
		}
	}
	stamp = hex.EncodeToString(h.Sum(nil)[:12])
	if age := time.Since(newest); age > settleTime {
		return stamp, true
	}
	var unique [4]byte
	_, _ = rand.Read(unique[:]) // It never fails.
	return stamp + "-" + hex.EncodeToString(unique[:]), false
}

// writePacked writes the magic and what fn writes, packed.
func writePacked(w io.Writer, fn func(io.Writer) error) error {
	if _, err := io.WriteString(w, magic); err != nil {
		return err
	}
	packed, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<20), zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		return err
	}
	buffered := bufio.NewWriterSize(packed, 256<<10)
	if err := fn(buffered); err != nil {
		return err // The stream stays without an end, so that nobody takes it for whole.
	}
	if err := buffered.Flush(); err != nil {
		return err
	}
	return packed.Close()
}

func writePage(w io.Writer, number int64, page []byte) error {
	if err := binary.Write(w, binary.BigEndian, uint32(number)); err != nil {
		return err
	}
	_, err := w.Write(page)
	return err
}

// writeJSON writes a value behind its length.
func writeJSON(w io.Writer, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if err := binary.Write(w, binary.BigEndian, uint32(len(b))); err != nil {
		return err
	}
	_, err = w.Write(b)
	return err
}
