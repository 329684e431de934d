package reclaim

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"time"

	"lcm-tui/data"
)

// connection is a connection of its own to a database, for statements that data's handle doesn't
// make.
type connection struct {
	pool *sql.DB
	conn *sql.Conn
	path string
}

// open opens a database for writing. Its statements wait for the locks of others.
func (c *connection) open(ctx context.Context, path string) (err error) {
	q := url.Values{"mode": {"rw"}, "_pragma": {"busy_timeout(30000)", "cache_size(-32768)"}}
	c.path = path
	if c.pool, err = sql.Open("sqlite", data.FileURI(path, q.Encode())); err == nil {
		c.conn, err = c.pool.Conn(ctx)
	}
	return data.WrapError(path, "open", err)
}

func (c *connection) close() error {
	err := errors.Join(c.conn.Close(), c.pool.Close())
	c.conn = nil
	return data.WrapError(c.path, "close", err)
}

// exec runs a statement.
func (c *connection) exec(ctx context.Context, verb, statement string, args ...any) error {
	_, err := c.conn.ExecContext(ctx, statement, args...)
	return data.WrapError(c.path, verb, err)
}

// number reads one number.
func (c *connection) number(ctx context.Context, query string) (n int64, err error) {
	err = c.conn.QueryRowContext(ctx, query).Scan(&n)
	return n, data.WrapError(c.path, "read", err)
}

// sizes measures the file, with the pages that its -wal adds.
func (c *connection) sizes(ctx context.Context) (s Sizes, err error) {
	var pageSize, free int64
	for query, to := range map[string]*int64{"PRAGMA page_size": &pageSize, "PRAGMA freelist_count": &free} {
		if *to, err = c.number(ctx, query); err != nil {
			return s, err
		}
	}
	s = measureFiles(c.path)
	s.Free = free * pageSize
	return s, nil
}

// content returns what the file would take without its free pages, in bytes.
func (c *connection) content(ctx context.Context) (bytes int64, err error) {
	return c.number(ctx, "SELECT (p.page_count - f.freelist_count) * s.page_size FROM pragma_page_count p, pragma_freelist_count f, pragma_page_size s")
}

// measureFiles asks for the sizes of the file and its -wal.
func measureFiles(path string) (s Sizes) {
	s.File, s.WAL = data.FileBytes(path)
	return s
}

// step runs one step and notes what it did.
func (w *worker) step(ctx context.Context, name string, run func(s *Step) error) error {
	s := Step{Name: name}
	var err error
	if s.Before, err = w.sizes(ctx); err != nil {
		return err
	}
	start := time.Now()
	err = run(&s)
	s.Milliseconds = time.Since(start).Milliseconds()
	if err != nil {
		return err
	}
	s.After, err = w.sizes(context.WithoutCancel(ctx)) // The step is done.
	w.result.Steps = append(w.result.Steps, s)
	return err
}

// timed runs one transaction of a step and notes how long others waited for it.
func (s *Step) timed(run func() error) (time.Duration, error) {
	start := time.Now()
	err := run()
	took := time.Since(start)
	s.Longest = max(s.Longest, took.Milliseconds())
	return took, err
}

// pause waits, so that others get to write.
func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
