package reading

import (
	"database/sql"
	"sync"

	"lcm-tui/data/postgres"
)

// mostConnections is how many connections this process has to one database, however many of its sources are open.
const mostConnections = 16

// sharedPools are the pools of connections that are open in this process, one for each database of a server.
var sharedPools = struct {
	sync.Mutex
	open map[string]*sharedPool
}{open: map[string]*sharedPool{}}

// sharedPool is a pool and how many use it.
type sharedPool struct {
	*sql.DB
	key   string
	users int
}

// openPool returns the pool of an address, which release gives back.
func openPool(a *postgres.Address) *sharedPool {
	sharedPools.Lock()
	defer sharedPools.Unlock()
	p := sharedPools.open[a.Key()]
	if p == nil {
		p = &sharedPool{DB: a.OpenPool(), key: a.Key()}
		p.SetMaxOpenConns(mostConnections)
		p.SetMaxIdleConns(mostConnections / 2)
		sharedPools.open[p.key] = p
	}
	p.users++
	return p
}

// release closes the pool when nobody uses it any more.
func (p *sharedPool) release() error {
	sharedPools.Lock()
	defer sharedPools.Unlock()
	if p.users--; p.users > 0 {
		return nil
	}
	delete(sharedPools.open, p.key)
	return p.Close()
}

// pooled is a connector that stands on a shared pool.
type pooled struct {
	*Connector
	pool *sharedPool
}

// Close gives the pool back.
func (p pooled) Close() error { return p.pool.release() }
