package pagestream

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lcm-tui/internal/atomicfile"
	"lcm-tui/internal/lazyregexp"
	"lcm-tui/internal/regularfile"
)

// digest is the beginning of the SHA-256 of a page.
type digest [16]byte

func digestOf(page []byte) digest {
	sum := sha256.Sum256(page)
	return digest(sum[:16])
}

// pageDigests are those of all pages of a state of a database, in order.
type pageDigests struct {
	pageSize int
	pages    []digest
}

// root returns the digest of all pages, in hexadecimal.
func (d *pageDigests) root() string {
	h := sha256.New()
	for i := range d.pages {
		h.Write(d.pages[i][:])
	}
	return hex.EncodeToString(h.Sum(nil))
}

// at returns the digest of a page, which are numbered from 1.
func (d *pageDigests) at(number int64) (digest, bool) {
	if d == nil || number < 1 || number > int64(len(d.pages)) {
		return digest{}, false
	}
	return d.pages[number-1], true
}

const (
	digestsMagic = "lcm-tui pages 1\n"
	digestsEnd   = ".pages"
	// keptStates is how many states a sender remembers: several machines may pull from one.
	keptStates = 4
	// mostDigests is the size in bytes of the largest file of digests that is read: of 16 GiB in pages of 4 KiB.
	mostDigests = 64 << 20
)

// stampForm is what a stamp looks like; it names a file.
var stampForm = lazyregexp.New(`^[0-9a-f]{8,64}(-[0-9a-f]{8,64})?$`)

// IsStamp reports whether a text has the form of a stamp.
func IsStamp(text string) bool { return stampForm.MatchString(text) }

// write keeps the digests of a state in a folder, and only the newest few states there.
func (d *pageDigests) write(folder, stamp string) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	content := binary.BigEndian.AppendUint32([]byte(digestsMagic), uint32(d.pageSize))
	for i := range d.pages {
		content = append(content, d.pages[i][:]...)
	}
	if err := atomicfile.Write(filepath.Join(folder, stamp+digestsEnd), content, atomicfile.Options{Replace: true}); err != nil {
		return err
	}
	return dropOldest(folder)
}

// dropOldest removes all but the newest digests of a folder.
func dropOldest(folder string) error {
	found, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	var infos []fs.FileInfo
	for _, e := range found {
		if info, err := e.Info(); err == nil && strings.HasSuffix(e.Name(), digestsEnd) {
			infos = append(infos, info)
		}
	}
	slices.SortFunc(infos, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	for _, info := range infos[min(keptStates, len(infos)):] {
		err = errors.Join(err, os.Remove(filepath.Join(folder, info.Name())))
	}
	return err
}

// readDigests reads what write kept; nil where nothing usable is there.
func readDigests(folder, stamp string) *pageDigests {
	if folder == "" || !IsStamp(stamp) {
		return nil
	}
	content, err := regularfile.Read(filepath.Join(folder, stamp+digestsEnd), mostDigests)
	head := len(digestsMagic) + 4
	if err != nil || len(content) < head || string(content[:len(digestsMagic)]) != digestsMagic || (len(content)-head)%len(digest{}) != 0 {
		return nil
	}
	d := &pageDigests{pageSize: int(binary.BigEndian.Uint32(content[len(digestsMagic):]))}
	for rest := content[head:]; len(rest) > 0; rest = rest[len(digest{}):] {
		d.pages = append(d.pages, digest(rest))
	}
	return d
}

// checkPageSize refuses what no page of SQLite has as its size.
func checkPageSize(n int) error {
	if n < 512 || n > 65536 || n&(n-1) != 0 {
		return fmt.Errorf("%w: a page of %d bytes", ErrBadStream, n)
	}
	return nil
}
