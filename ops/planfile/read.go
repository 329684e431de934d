package planfile

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"unicode/utf8"

	"lcm-tui/internal/hint"
	"lcm-tui/internal/regularfile"
)

// fileError says why a plan file can't be used, and what to do; err is the cause, or nil. Nothing was changed.
func fileError(path, why, next string, err error) error {
	return &hint.Error{Text: fmt.Sprintf("the plan file %s can't be used: %s", path, why), Next: next, Err: err}
}

// makeAgain is what to do about a file that isn't as it was made.
const makeAgain = "make the plan again, or copy the file again from where it was made"

// Open reads a plan file. private fails where others than the user could have written the file.
func Open(path string, private bool) (*File, error) {
	refuse := func(why, next string, err error) (*File, error) {
		return nil, fileError(path, why, next, err)
	}
	file, err := regularfile.Open(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return refuse("there is no such file", "check the name of the file", err)
	case errors.Is(err, regularfile.ErrNotRegular):
		return refuse("it is no regular file", "give the file that was made of the plan", err)
	case err != nil:
		return refuse(err.Error(), "make the file readable", err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return refuse(err.Error(), makeAgain, err)
	}
	if private {
		if why := sharedWith(info); why != "" {
			return refuse(why, "look at it with lcm-tui plan show, make it your own with chmod 600, and apply it then", nil)
		}
	}
	if info.Size() > maxBytes {
		return refuse("it is larger than any plan file", makeAgain, errTooLarge)
	}
	b, err := io.ReadAll(io.LimitReader(file, maxBytes+1))
	if err == nil {
		b, err = unpack(b)
	}
	if err != nil {
		return refuse(err.Error(), makeAgain, err)
	}
	f, err := Parse(b)
	if err != nil {
		return refuse(err.Error(), cmp.Or(hint.Of(err), makeAgain), err)
	}
	f.Path, f.Bytes = path, info.Size()
	return f, nil
}

// packedHeader are the first bytes of a packed file, as they are always written.
var packedHeader = []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff}

// unpack returns the bytes of a file that may be packed.
func unpack(b []byte) ([]byte, error) {
	if !bytes.HasPrefix(b, packedHeader[:2]) {
		return b, nil
	}
	if !bytes.HasPrefix(b, packedHeader) {
		return nil, errChanged
	}
	in := bytes.NewReader(b)
	z, err := gzip.NewReader(in)
	if err != nil {
		return nil, errChanged
	}
	z.Multistream(false)
	out, err := io.ReadAll(io.LimitReader(z, maxBytes+1))
	switch {
	case err != nil || in.Len() > 0:
		return nil, errChanged
	case len(out) > maxBytes:
		return nil, errTooLarge
	}
	return out, nil
}

var (
	errChanged  = errors.New("it is cut off, damaged, or was changed after it was made")
	errNoPlan   = errors.New("it is no plan of lcm-tui")
	errTooLarge = errors.New("it is larger than any plan file")
)

// Parse reads the bytes of a plan file.
func Parse(b []byte) (*File, error) {
	switch {
	case len(b) == 0:
		return nil, errors.New("it is empty")
	case bytes.HasPrefix(b, []byte("\xef\xbb\xbf")):
		return nil, errors.New("it begins with a byte order mark: another program wrote it")
	case !bytes.HasPrefix(b, []byte(`{"note":`)):
		return nil, errNoPlan
	}
	end := len(fmt.Sprintf(digestFormat, digest(nil)))
	if len(b) < end {
		return nil, errChanged
	}
	body := b[:len(b)-end]
	sum := digest(body)
	if string(b[len(b)-end:]) != fmt.Sprintf(digestFormat, sum) {
		return nil, errChanged
	}
	body = append(body[:len(body):len(body)], '}')
	if !utf8.Valid(body) {
		return nil, errors.New("it has text that isn't UTF-8")
	}
	if err := checkSyntax(body); err != nil {
		return nil, err
	}
	f := &File{SHA256: sum, Bytes: int64(len(b))}
	if err := checkVersion(body); err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(&f.document); err != nil {
		return nil, fmt.Errorf("it can't be read: %w", err)
	}
	f.Header, f.Plan = f.document.Header, f.document.plan()
	f.Plan.FileSHA256 = sum
	return f, f.document.check()
}

// checkVersion fails where this program doesn't know the version of the format.
func checkVersion(body []byte) error {
	var head struct {
		Version json.Number `json:"lcm_tui_plan"`
	}
	if err := json.Unmarshal(body, &head); err != nil {
		return fmt.Errorf("it can't be read: %w", err)
	}
	n, err := strconv.ParseUint(head.Version.String(), 10, 64)
	switch {
	case head.Version == "" || err == nil && n == 0:
		return errNoPlan
	case err != nil || n > Version:
		return hint.New(fmt.Sprintf("it has version %.20s of the format, and this program knows version %d", head.Version.String(), Version),
			"update lcm-tui, or make the plan again with this version")
	}
	return nil
}
