package fleet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/pagestream"
	"lcm-tui/internal/filesystem"
	"lcm-tui/internal/hint"
)

// Pulled is what a pull did.
type Pulled struct {
	Name      string `json:"name"`
	Unchanged bool   `json:"unchanged"` // The copy that was there is what the source has.
	Bytes     int64  `json:"bytes"`     // The size of the newest copy.
	Packed    int64  `json:"packed"`    // What came over the line, in bytes.
	Pages     int64  `json:"pages"`     // How many pages of it were new.
	Error     string `json:"error,omitempty"`

	Err error `json:"-"`
}

// Options are how copies are pulled.
type Options struct {
	SSH     string        // The program that connects; empty is ssh.
	Timeout time.Duration // For one machine; 0 is none.
	Report  data.Report
}

// ErrBusy says that another process is pulling from the same source.
var ErrBusy = errors.New("another process is fetching this copy")

// diskReserve is how much of a disk stays free, in bytes.
const diskReserve = 64 << 20

// Pull fetches a new copy of a source where that has changed. A pull that fails leaves the copies as they are, and notes
// why.
func (s Store) Pull(ctx context.Context, t State, o Options) (p Pulled) {
	p.Name = t.Name
	if o.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.Timeout)
		defer cancel()
	}
	defer func() {
		if p.Err != nil {
			p.Error = p.Err.Error()
		}
	}()
	unlock, err := s.lock(t.Name)
	if err != nil {
		p.Err = err
		return p
	}
	defer unlock()
	if t, err = s.Get(t.Name); err != nil { // Another process may have pulled since it was read.
		p.Err = err
		return p
	}
	c, err := s.pull(ctx, t, o, &p)
	c.TriedAt, c.Error, c.Hint = s.Now().UTC().Truncate(time.Second), "", ""
	if err != nil {
		if errors.Is(err, context.DeadlineExceeded) && o.Timeout > 0 {
			err = &hint.Error{Err: fmt.Errorf("%s: not done within %s", t.Name, o.Timeout), Next: "give more time with --timeout", OnScreen: "fetch it on the command line, which can give it more time"}
		}
		err = storeProblem(err)
		c.Error, c.Hint = err.Error(), hint.OnScreen(err)
	} else {
		c.CheckedAt = c.TriedAt
		s.noteRuns(ctx, State{t.Source, c})
	}
	if noted := s.note(t.Name, c); noted != nil {
		err = errors.Join(err, fmt.Errorf("%s: what is known of its copies can't be noted: %w", t.Name, storeProblem(noted)))
	}
	p.Err = err
	return p
}

// pull fetches what changed, and returns what is then known of the copies.
func (s Store) pull(ctx context.Context, t State, o Options, p *Pulled) (Copy, error) {
	c := t.Copy
	how := pagestream.Receiving{Report: o.Report}
	if path, err := s.Path(t); err == nil {
		if info, err := os.Lstat(path); err == nil && info.Size() == t.Newest.Bytes {
			how.Base, how.BaseStamp = path, t.Newest.Stamp
			p.Bytes = info.Size()
		}
	}
	free, known := filesystem.FreeSpace(s.folder(t.Name))
	if known {
		how.MaxBytes = max(1, free-diskReserve)
	}
	into := s.freeName(t.Name)
	got, err := fetch(ctx, t.Source, o, how, into)
	if errors.Is(err, pagestream.ErrBase) { // The copy here is damaged: everything comes again.
		how.Base, how.BaseStamp = "", ""
		got, err = fetch(ctx, t.Source, o, how, into)
	}
	if errors.Is(err, errNotInstalled) {
		got, err = fetchBySQLite(ctx, t.Source, o, how, into)
	}
	p.Packed = got.Packed
	if errors.Is(err, pagestream.ErrTooLarge) {
		text := fmt.Sprintf("%s: there is no room for the database on this disk: %d MB are free, and %d MB are kept free", t.Name, free>>20, diskReserve>>20)
		err = &hint.Error{Text: text, Err: err, Next: "make room, or lcm-tui fleet remove a machine whose copy isn't needed", OnScreen: "make room, or remove a machine whose copy isn't needed"}
	}
	if err != nil {
		return c, err
	}
	if got.Unchanged {
		p.Unchanged = true
		return c, nil
	}
	if got.Base != "" && got.Changed == 0 && got.Bytes == p.Bytes { // Only times changed.
		data.RemoveDatabase(into)
		newest := *c.Newest
		newest.Stamp, c.Newest, p.Unchanged = got.Stamp, &newest, true
		return c, nil
	}
	if err := pagestream.Check(ctx, into); err != nil {
		data.RemoveDatabase(into)
		return c, fmt.Errorf("%s: what came isn't a sound database: %w", t.Name, err)
	}
	p.Bytes, p.Pages = got.Bytes, got.Changed
	c.Previous, c.Newest = c.Newest, &Generation{File: filepath.Base(into), Stamp: got.Stamp, PulledAt: s.Now().UTC().Truncate(time.Second), Bytes: got.Bytes, Packed: got.Packed}
	return c, nil
}

// freeName returns a path for a new copy: numbers only rise, because a program may have an older copy open.
func (s Store) freeName(name string) string {
	most := 0
	found, _ := os.ReadDir(s.folder(name))
	for _, e := range found {
		number, _, _ := strings.Cut(strings.TrimPrefix(e.Name(), copyStart), databaseEnd)
		if n, err := strconv.Atoi(number); err == nil {
			most = max(most, n)
		}
	}
	return filepath.Join(s.folder(name), copyStart+strconv.Itoa(most+1)+databaseEnd)
}

// fetch receives the stream of a source.
func fetch(ctx context.Context, src Source, o Options, how pagestream.Receiving, into string) (pagestream.Received, error) {
	if src.Host == "" {
		return fetchHere(ctx, src.Path, how, into)
	}
	words := []string{"lcm-tui", "backup", "--to", "-"}
	if how.BaseStamp != "" {
		words = append(words, "--since", how.BaseStamp)
	}
	if src.Path != "" {
		words = append(words, "--db", src.Path)
	}
	return receiveFrom(ctx, newRemote(ctx, o, src.Host, words...), func(out io.Reader) (pagestream.Received, error) {
		return pagestream.Receive(ctx, out, into, how)
	})
}

// receiveFrom runs a command of another machine and takes its output. A command that fails counts before what it printed,
// and what isn't a stream after what it printed.
func receiveFrom(ctx context.Context, cmd *remote, take func(io.Reader) (pagestream.Received, error)) (pagestream.Received, error) {
	out, err := cmd.StdoutPipe()
	if err != nil {
		return pagestream.Received{}, err
	}
	if err := cmd.Start(); err != nil {
		return pagestream.Received{}, cmd.failure(err)
	}
	got, err := take(out)
	patience := endTime
	if err != nil {
		patience = errorTime
	}
	// A machine that doesn't end, or that sends on although nobody wants it, isn't waited for.
	impatient := time.AfterFunc(patience, func() {
		_ = cmd.Process.Kill()
		_ = out.Close()
	})
	if err != nil {
		_, _ = io.CopyN(io.Discard, out, 1<<20) // So that its own error is read, and not that nobody reads it.
		_ = out.Close()
	}
	ended := cmd.Wait()
	impatient.Stop()
	var start *pagestream.StartError
	switch {
	case err == nil:
		return got, nil // All of it came, whatever ended the command.
	case ctx.Err() != nil:
		return got, ctx.Err()
	case ended != nil && errors.Is(err, pagestream.ErrBadStream) && !cmd.isBrokenOff(ended):
		return got, cmd.failure(ended)
	case errors.As(err, &start):
		return got, &hint.Error{Err: fmt.Errorf("%s: %w: %q", cmd.host, err, start.Start), Next: "a shell that prints something at its start spoils the stream: ssh " + cmd.host + " true must print nothing"}
	}
	return got, fmt.Errorf("%s: %w", cmd.host, err)
}

// How long a machine may take to end after all of its stream came, and after something that is no stream came.
const (
	endTime   = 30 * time.Second
	errorTime = 2 * time.Second
)

// fetchHere receives the stream of a file of this machine.
func fetchHere(ctx context.Context, path string, how pagestream.Receiving, into string) (pagestream.Received, error) {
	db, err := data.Open(ctx, path)
	if err != nil {
		return pagestream.Received{}, err
	}
	defer db.Close()
	pr, pw := io.Pipe()
	sent := make(chan error, 1)
	go func() {
		_, err := pagestream.Send(ctx, db, pagestream.Sending{Since: how.BaseStamp, Folder: filepath.Join(filepath.Dir(into), "sent")}, pw)
		_ = pw.CloseWithError(err)
		sent <- err
	}()
	got, err := pagestream.Receive(ctx, pr, into, how)
	_ = pr.CloseWithError(err)
	if why := <-sent; why != nil && errors.Is(err, pagestream.ErrBadStream) {
		err = why
	}
	return got, err
}
