package transcript

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"lcm-tui/data/sessiondb"
)

// keptDatabase is the key of the open transcript database in a context that KeepOpen made.
type keptDatabase struct{}

// openDatabase is a transcript database that stays open between two reads.
type openDatabase struct {
	mu    sync.Mutex
	path  string
	db    *sessiondb.DB // May be nil.
	users int
}

// KeepOpen returns ctx for reading many sessions one after another: the transcript database that was
// read last stays open until another one is read or done is called. To open it for each session
// takes longer than to read a short one. Nothing may be read with the context after done.
func KeepOpen(ctx context.Context) (kept context.Context, done func() error) {
	k := &openDatabase{}
	return context.WithValue(ctx, keptDatabase{}, k), k.close
}

func (k *openDatabase) close() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.drop()
}

// drop closes the database, if one is open.
func (k *openDatabase) drop() error {
	if k.db == nil {
		return nil
	}
	err := k.db.Close()
	k.db, k.path = nil, ""
	if err != nil {
		return fmt.Errorf("close transcript database: %w", err)
	}
	return nil
}

// use returns the open database at path; nil while another one is being read.
func (k *openDatabase) use(ctx context.Context, path string) (*sessiondb.DB, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.db == nil || k.path != path {
		if k.users > 0 {
			return nil, nil
		}
		if err := k.drop(); err != nil {
			return nil, err
		}
		db, err := sessiondb.Open(ctx, path)
		if err != nil {
			return nil, err
		}
		k.db, k.path = db, path
	}
	k.users++
	return k.db, nil
}

func (k *openDatabase) release() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.users--
	return nil
}

// withDatabase calls fn with the transcript database at path.
func withDatabase(ctx context.Context, path string, fn func(*sessiondb.DB) error) (err error) {
	var db *sessiondb.DB
	release := func() error { return db.Close() }
	if k, ok := ctx.Value(keptDatabase{}).(*openDatabase); ok {
		if db, err = k.use(ctx, path); db != nil {
			release = k.release
		}
	}
	if db == nil && err == nil {
		db, err = sessiondb.Open(ctx, path)
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	return fn(db)
}
