package sessiondb

import (
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// maxUnpacked is the size in bytes of the largest event that is unpacked. The host packs up
// to 4 MiB.
const maxUnpacked = 4<<20 + 64<<10

// maxArchiveWindow bounds the memory in bytes for an archive that is unpacked.
const maxArchiveWindow = 64 << 20

var errSize = errors.New("its size isn't what the row says")

// unpacker unpacks events.
type unpacker struct{ d *zstd.Decoder }

// newUnpacker makes an unpacker that can't be made to unpack more than maxUnpacked bytes.
func newUnpacker() *unpacker {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxUnpacked), zstd.WithDecodeAllCapLimit(true), zstd.WithDecoderLowmem(true))
	if err != nil {
		panic("agentdb: the options of the unpacker are wrong: " + err.Error()) // They are constants.
	}
	return &unpacker{d}
}

// event unpacks an event of size bytes, -1 where nobody says, to the end of to.
func (u *unpacker) event(to, packed []byte, size int64) ([]byte, error) {
	if size > maxUnpacked {
		return to, errTooLong
	}
	room := size
	if size < 0 {
		room = maxUnpacked
	}
	if int64(cap(to)-len(to)) < room {
		to = append(make([]byte, 0, int64(len(to))+room), to...)
	}
	start := len(to)
	out, err := u.d.DecodeAll(packed, to[:start:start+int(room)])
	switch {
	case errors.Is(err, zstd.ErrDecoderSizeExceeded) && size >= 0:
		return to, errSize
	case err != nil:
		return to, fmt.Errorf("can't be unpacked: %w", err)
	case size >= 0 && int64(len(out)-start) != size:
		return to, errSize
	}
	return out, nil
}

// Unpack unpacks a stream of zstd, such as an archived transcript. Whoever closes it
// closes the stream below.
func Unpack(packed io.ReadCloser) (io.ReadCloser, error) {
	d, err := zstd.NewReader(packed, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxArchiveWindow), zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, errors.Join(err, packed.Close())
	}
	return &unpackedStream{d, packed}, nil
}

type unpackedStream struct {
	*zstd.Decoder
	below io.Closer
}

// Close implements io.Closer.
func (s *unpackedStream) Close() error {
	s.Decoder.Close()
	return s.below.Close()
}

// Pack packs a text as the host does: one frame of zstd at its fastest level, with a checksum.
func Pack(text []byte) []byte {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderCRC(true), zstd.WithEncoderConcurrency(1))
	if err != nil {
		panic("the options of the packer are wrong: " + err.Error()) // They are constants.
	}
	defer e.Close()
	return e.EncodeAll(text, nil)
}
