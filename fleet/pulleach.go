package fleet

import (
	"context"
	"sync"
)

// DefaultJobs is how many machines are asked at once where nobody says.
const DefaultJobs = 4

// PullEach pulls from several sources, at most jobs at a time, and returns what became of each, in their order. One that
// fails doesn't stop the others. After the end of ctx those that didn't begin have its error.
// The Report of o gets thousandths of all of it, and which machine moved last.
func (s Store) PullEach(ctx context.Context, sources []State, jobs int, o Options) []Pulled {
	out := make([]Pulled, len(sources))
	free := make(chan struct{}, max(1, jobs))
	progress := &sharedProgress{done: make([]int, len(sources)), report: o.Report}
	var all sync.WaitGroup
	for i, t := range sources {
		free <- struct{}{}
		all.Go(func() {
			defer func() { <-free }()
			if err := ctx.Err(); err != nil {
				out[i] = Pulled{Name: t.Name, Error: err.Error(), Err: err}
				return
			}
			mine := o
			mine.Report = progress.of(i, t.Name)
			out[i] = s.Pull(ctx, t, mine)
			progress.set(i, thousand, t.Name+": done")
		})
	}
	all.Wait()
	return out
}

// thousand is the whole of one machine's progress.
const thousand = 1000

// sharedProgress is the progress of several pulls at once.
type sharedProgress struct {
	mu     sync.Mutex
	done   []int // Thousandths, by source.
	report func(done, total int, note string)
}

// of returns what a single pull reports to.
func (p *sharedProgress) of(i int, name string) func(done, total int, note string) {
	if p.report == nil {
		return nil
	}
	return func(done, total int, note string) {
		p.set(i, thousand*done/max(1, total), name+": "+note)
	}
}

func (p *sharedProgress) set(i, done int, note string) {
	if p.report == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done[i] = done
	sum := 0
	for _, d := range p.done {
		sum += d
	}
	p.report(sum, thousand*len(p.done), note)
}
