package proof

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"lcm-tui/data"
	"lcm-tui/data/fileidentity"
	"lcm-tui/engine/pieces"
	"lcm-tui/internal/atomicfile"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/regularfile"
)

// Version is that of receipts.
const Version = 1

// Receipt says which texts were forgotten, what stays, and where something of them was found afterwards. It holds no
// text: whoever guesses one can check the guess.
type Receipt struct {
	Version  int                   `json:"lcm_tui_receipt"`
	MadeBy   string                `json:"made_by,omitempty"` // The version of this program.
	MadeAt   string                `json:"made_at"`
	Database fileidentity.Identity `json:"database"`
	Record   int64                 `json:"record"` // By which they were forgotten.
	// QuerySHA256 is that of the salt of the pieces and the query.
	QuerySHA256 string           `json:"query_sha256"`
	Messages    []Message        `json:"messages"`
	Rows        map[string]int64 `json:"rows"` // That were changed, by table.
	// Kept are messages that the query found and that stay.
	Kept []Kept `json:"kept"`
	// IndexMerged says that the search index was merged after the texts left it: until then it keeps words of deleted
	// rows.
	IndexMerged bool          `json:"search_index_merged"`
	Pieces      pieces.Stored `json:"pieces"`
	// Checks are what was looked at and found, the first one right after the texts were forgotten.
	Checks []Check `json:"checks"`
	SHA256 string  `json:"sha256"` // Of all the rest as it stands here.
}

// Message is a message whose texts were forgotten.
type Message struct {
	Conversation int64     `json:"conversation_id"`
	ID           int64     `json:"message_id"`
	Seq          int64     `json:"seq"`
	Role         string    `json:"role"`
	At           data.Time `json:"created_at"`
	Bytes        int       `json:"bytes"`
	SHA256       string    `json:"sha256"` // Of its text.
	Parts        int       `json:"parts"`
}

// Kept are messages of a conversation that a query finds and that stay, with the reason and the next step.
type Kept struct {
	Conversation int64   `json:"conversation_id"`
	Messages     []int64 `json:"messages"`
	Why          string  `json:"why"`
	Next         string  `json:"next,omitempty"`
	// OnScreen is Next for who reads it on a screen, where no command can be typed.
	OnScreen string `json:"-"`
}

// Last returns the newest check.
func (r *Receipt) Last() *Check {
	if len(r.Checks) == 0 {
		return &Check{}
	}
	return &r.Checks[len(r.Checks)-1]
}

// QueryDigest returns the digest of a query under the salt of some pieces.
func QueryDigest(p pieces.Stored, query string) string { return Digest(p.Salt + "\n" + query) }

// Digest returns the SHA-256 of a text.
func Digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// seal returns the receipt as JSON with its digest.
func (r Receipt) seal() ([]byte, error) {
	r.SHA256 = ""
	bare, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	r.SHA256 = Digest(string(bare))
	out, err := json.MarshalIndent(r, "", " ")
	return append(out, '\n'), err
}

// Write writes the receipt to a new file that only its user can read. It fails where there is one.
func (r Receipt) Write(path string) error {
	text, err := r.seal()
	if err != nil {
		return err
	}
	f, err := create(path)
	if err != nil {
		return err
	}
	defer f.Discard()
	if _, err := f.Write(text); err != nil {
		return fmt.Errorf("the receipt can't be written: %w", err)
	}
	return f.Commit()
}

// CheckPlace fails where no receipt can be written. It leaves nothing there.
func CheckPlace(path string) error {
	f, err := create(path)
	if err == nil {
		f.Discard()
	}
	return err
}

// create begins the file of a receipt.
func create(path string) (*atomicfile.File, error) {
	f, err := atomicfile.Create(path, atomicfile.Options{})
	if err != nil {
		return nil, fmt.Errorf("the receipt can't be written: %w", err)
	}
	return f, nil
}

// maxReceipt is the size of the largest receipt that is read, in bytes.
const maxReceipt = 1 << 30

// Read reads a receipt. It fails where the file is none, or isn't as it was written.
func Read(path string) (*Receipt, error) {
	f, err := regularfile.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxReceipt))
	if err != nil {
		return nil, err
	}
	r := &Receipt{}
	if err := json.Unmarshal(text, r); err != nil || r.Version == 0 {
		return nil, hint.New(path+" is no receipt of lcm-tui", "give the file that prune text --matching --receipt wrote")
	}
	if r.Version > Version {
		return nil, hint.New(fmt.Sprintf("%s is a receipt of version %d, which a newer lcm-tui wrote", path, r.Version), "update lcm-tui")
	}
	bare := *r
	bare.SHA256 = ""
	same, err := json.Marshal(bare)
	if err != nil {
		return nil, err
	}
	if Digest(string(same)) != r.SHA256 {
		return nil, hint.Wrap(fmt.Errorf("%s: %w", path, ErrAltered), "use another copy of it")
	}
	return r, nil
}

// ErrAltered says that a receipt isn't as it was written.
var ErrAltered = errors.New("the receipt isn't as lcm-tui wrote it: its digest doesn't fit what it says")
