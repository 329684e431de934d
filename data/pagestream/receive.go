package pagestream

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"

	"github.com/klauspost/compress/zstd"

	"lcm-tui/data"
	"lcm-tui/internal/atomicfile"
	"lcm-tui/internal/regularfile"
)

var (
	// ErrBadStream says that a stream isn't one of Send, was cut off, or was changed on its way.
	ErrBadStream = errors.New("the stream of pages isn't whole")
	// ErrBase says that the pages of the base and of the stream aren't those of the file that was sent: the base is damaged, or what
	// came. A stream without a base says which.
	ErrBase = errors.New("the copy that it changes isn't what it was")
	// ErrTooLarge says that the file would be larger than allowed.
	ErrTooLarge = errors.New("the database is larger than allowed")
)

// Receiving is what a stream is for.
type Receiving struct {
	// Base is the file of the state with the stamp BaseStamp; both empty where there is none.
	Base, BaseStamp string
	// MaxBytes is the size in bytes that the file may have; 0 is no limit.
	MaxBytes int64
	Report   data.Report
}

// Received is what Receive made.
type Received struct {
	Header
	Changed int64 // How many pages the stream held.
	Bytes   int64 // The size of the file; 0 where nothing changed.
	Packed  int64 // The size of the stream.
}

// Receive reads a stream and makes a file of it under a new name, private to the user. Whatever is wrong
// with the stream, the file isn't made, and Base stays as it is. Where nothing changed no file is made
// either. The caller checks what the database in the file is like: here only its pages are known to be those
// that were sent.
func Receive(ctx context.Context, r io.Reader, into string, how Receiving) (out Received, err error) {
	counted := &countingReader{r: contextReader{ctx, r}}
	defer func() { out.Packed = counted.n }()
	in, unpack, err := openPacked(counted)
	if err != nil {
		return out, err
	}
	defer unpack.Close()
	if err := readJSON(in, &out.Header); err != nil {
		return out, err
	}
	h := out.Header
	switch {
	case !IsStamp(h.Stamp):
		return out, fmt.Errorf("%w: its stamp is none", ErrBadStream)
	case h.Base != "" && h.Base != how.BaseStamp:
		return out, fmt.Errorf("%w: it changes a copy that isn't here", ErrBadStream)
	case h.Unchanged && h.Stamp != how.BaseStamp:
		return out, fmt.Errorf("%w: it says that nothing changed, but of another copy", ErrBadStream)
	case h.Unchanged:
		return out, nil
	case h.Pages < 1:
		return out, fmt.Errorf("%w: it has no pages", ErrBadStream)
	}
	if err := checkPageSize(h.PageSize); err != nil {
		return out, err
	}
	if how.MaxBytes > 0 && h.Pages > how.MaxBytes/int64(h.PageSize) {
		return out, fmt.Errorf("%w: %d pages of %d bytes", ErrTooLarge, h.Pages, h.PageSize)
	}
	file, err := atomicfile.Create(into, atomicfile.Options{})
	if err != nil {
		return out, err
	}
	defer file.Discard()
	m := &merger{header: h, report: how.Report, out: bufio.NewWriterSize(file, 256<<10), page: make([]byte, h.PageSize), root: sha256.New(), next: 1}
	if h.Base != "" {
		base, err := regularfile.Open(how.Base)
		if err != nil {
			return out, err
		}
		defer base.Close()
		m.base = bufio.NewReaderSize(base, 256<<10)
	}
	if err := m.merge(ctx, in); err != nil {
		return out, err
	}
	out.Changed, out.Bytes = m.sent, h.Pages*int64(h.PageSize)
	return out, file.Commit()
}

// merger writes the pages of a file in order: those of a stream, and between them those of the base.
type merger struct {
	header Header
	base   *bufio.Reader // Nil where there is none. It stands before the page next.
	out    *bufio.Writer
	page   []byte
	root   hash.Hash // Of the digests of all pages so far: how many there are takes no memory.
	next   int64     // The number of the page that is written next.
	sent   int64
	report data.Report
}

func (m *merger) merge(ctx context.Context, in io.Reader) error {
	for {
		var number uint32
		if err := binary.Read(in, binary.BigEndian, &number); err != nil {
			return badStream(ctx, err)
		}
		if number == 0 {
			break
		}
		if int64(number) < m.next || int64(number) > m.header.Pages {
			return fmt.Errorf("%w: page %d comes behind page %d of %d", ErrBadStream, number, m.next-1, m.header.Pages)
		}
		if err := m.copyUntil(ctx, int64(number)); err != nil {
			return err
		}
		if _, err := io.ReadFull(in, m.page); err != nil {
			return badStream(ctx, err)
		}
		if m.base != nil {
			_, _ = m.base.Discard(len(m.page)) // The base may be shorter; then the next page of it is missed below.
		}
		if err := m.write(ctx); err != nil {
			return err
		}
		m.sent++
	}
	if err := m.copyUntil(ctx, m.header.Pages+1); err != nil {
		return err
	}
	var end trailer
	if err := readJSON(in, &end); err != nil {
		return err
	}
	isSame := end.Root == hex.EncodeToString(m.root.Sum(nil))
	if end.Sent == m.sent && !isSame && m.base != nil {
		return fmt.Errorf("%w: %w", ErrBadStream, ErrBase)
	}
	if end.Sent != m.sent || !isSame {
		return fmt.Errorf("%w: its pages aren't those that were sent", ErrBadStream)
	}
	if n, err := in.Read(m.page[:1]); n > 0 || !errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: something stands behind its end", ErrBadStream)
	}
	return m.out.Flush()
}

// copyUntil writes pages of the base up to the one before a number.
func (m *merger) copyUntil(ctx context.Context, number int64) error {
	for m.next < number {
		if m.base == nil {
			return fmt.Errorf("%w: page %d is missing", ErrBadStream, m.next)
		}
		if _, err := io.ReadFull(m.base, m.page); err != nil {
			return fmt.Errorf("%w: %w: it has no page %d: %w", ErrBadStream, ErrBase, m.next, err)
		}
		if err := m.write(ctx); err != nil {
			return err
		}
	}
	return nil
}

// write writes the page that was read.
func (m *merger) write(ctx context.Context) error {
	is := digestOf(m.page)
	m.root.Write(is[:])
	if m.next%reportEach == 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		if m.report != nil {
			m.report(int(m.next), int(m.header.Pages), "receiving pages")
		}
	}
	m.next++
	_, err := m.out.Write(m.page)
	return err
}

// maxWindow bounds the memory in bytes that a stream can make the reader take.
const maxWindow = 8 << 20

// openPacked checks the magic and unpacks what follows.
func openPacked(r io.Reader) (io.Reader, io.Closer, error) {
	got := make([]byte, len(magic))
	if n, err := io.ReadFull(r, got); err != nil || string(got) != magic {
		return nil, nil, &StartError{Start: string(got[:n])}
	}
	d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, nil, err
	}
	return bufio.NewReaderSize(d, 256<<10), d.IOReadCloser(), nil
}

// StartError says that what came doesn't begin as a stream does: maybe the other side printed something else.
type StartError struct {
	Start string // What came instead, at most as long as the beginning of a stream.
}

func (*StartError) Error() string { return ErrBadStream.Error() + ": it doesn't begin as one" }

// Unwrap returns ErrBadStream.
func (*StartError) Unwrap() error { return ErrBadStream }

// badStream returns why a stream ended: because of the context, or by itself.
func badStream(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("%w: %w", ErrBadStream, err)
}

// mostJSON is the size in bytes of the largest header that is read.
const mostJSON = 64 << 10

// readJSON reads what writeJSON wrote.
func readJSON(r io.Reader, v any) error {
	var n uint32
	if err := binary.Read(r, binary.BigEndian, &n); err != nil {
		return badStream(context.Background(), err)
	}
	if n > mostJSON {
		return fmt.Errorf("%w: a header of %d bytes", ErrBadStream, n)
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(r, b); err != nil {
		return badStream(context.Background(), err)
	}
	if err := json.Unmarshal(b, v); err != nil {
		return fmt.Errorf("%w: %w", ErrBadStream, err)
	}
	return nil
}

// contextReader ends with its context, between two reads.
type contextReader struct {
	ctx context.Context //nolint:containedctx // A reader has no other way to end.
	r   io.Reader
}

func (c contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}

// countingReader counts what is read.
type countingReader struct {
	r io.Reader
	n int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}
