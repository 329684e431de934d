package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// options are what to measure, and how often.
type options struct {
	path, bin  string
	part       string // The only part to measure, or empty.
	home       string // Empty, so that no configuration of the user is read.
	runs, keys int
}

// results are the lines of the table, in its order.
type results struct {
	first                  measurement
	list, listPage         measurement
	tree, treePage         measurement
	items, itemsPage       measurement
	openTree, openItems    measurement
	command, sqlite, ratio measurement
	memory                 measurement
	spaceFirst, space      measurement
	search                 *searchResults
	commands               *commandResults
}

func newResults(graph, full conversation, summary string) *results {
	const key, open = "16 ms", "200 ms"
	ms := func(what, target string) measurement { return measurement{what: what, unit: "ms", target: target} }
	tree := fmt.Sprintf("tree of %d summaries", graph.Summaries)
	items := fmt.Sprintf("context of %d items", full.ContextItems)
	return &results{
		first:      ms("start to first screen with rows", "100 ms"),
		list:       ms("down in the list", key),
		listPage:   ms("pgdown in the list", key),
		tree:       ms("down in the "+tree, key),
		treePage:   ms("pgdown in the "+tree, key),
		items:      ms("down in the "+items, key),
		itemsPage:  ms("pgdown in the "+items, key),
		openTree:   ms("open the "+tree, open),
		openItems:  ms("open the "+items, open),
		command:    ms("conversations --json", ""),
		sqlite:     ms("the same counts by sqlite3", ""),
		ratio:      measurement{what: "ratio of the two", target: "≤ 1"},
		memory:     measurement{what: "peak memory while browsing", unit: "MiB", target: "64 MiB"},
		spaceFirst: ms("space: its first numbers", open),
		space:      ms("space: everything measured", "10 s"),
		search:     newSearchResults(),
		commands:   newCommandResults(summary),
	}
}

func (r *results) all() []*measurement {
	browsing := []*measurement{
		&r.first, &r.list, &r.listPage, &r.tree, &r.treePage, &r.items, &r.itemsPage, &r.openTree, &r.openItems,
		&r.command, &r.sqlite, &r.ratio, &r.memory, &r.spaceFirst, &r.space,
	}
	return slices.Concat(browsing, r.search.all(), r.commands.all())
}

func measure(ctx context.Context, o options, out io.Writer) error {
	info, err := os.Stat(o.path)
	if err != nil {
		return err
	}
	tmp, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	o.home = tmp
	if err := o.build(ctx); err != nil {
		return err
	}
	all, err := conversations(ctx, o) // This also fills the cache of the operating system.
	if err != nil {
		return err
	}
	graph, full, err := largestConversations(all)
	if err != nil {
		return err
	}
	summary, err := deepestSummary(ctx, o, graph)
	if err != nil {
		return err
	}
	r := newResults(graph, full, summary)
	for i := range o.runs {
		fmt.Fprintf(os.Stderr, "run %d of %d\n", i+1, o.runs)
		if err := measureOnce(ctx, o, graph, full, r); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "%s, %.0f MiB, %d conversations\n\n", machine(), float64(info.Size())/(1<<20), len(all))
	return printTable(out, r.all())
}

// build builds the program as it is released, unless one is given.
func (o *options) build(ctx context.Context) error {
	if o.bin != "" {
		return nil
	}
	o.bin = filepath.Join(o.home, "lcm-tui")
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", o.bin, ".")
	build.Env, build.Stderr = append(os.Environ(), "CGO_ENABLED=0"), os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("build the program: %w", err)
	}
	return nil
}

// measureOnce takes each measurement once, from new processes. What the file has not is left out.
func measureOnce(ctx context.Context, o options, graph, full conversation, r *results) error {
	for _, part := range []struct {
		name string
		run  func() error
	}{
		{"command", func() error { return compare(ctx, o, r) }},
		{"start", func() error { return start(ctx, o, r) }},
		{"browsing", func() error { return browse(ctx, o, graph, full, r) }},
		{"space", func() error { return space(ctx, o, r) }},
		{"searching", func() error { return search(ctx, o, r.search) }},
		{"commands", func() error { return r.commands.run(ctx, o) }},
	} {
		if o.part != "" && o.part != part.name {
			continue
		}
		err := part.run()
		if errors.Is(err, errNotShown) {
			fmt.Fprintf(os.Stderr, "measure %s: the rest is left out: %v\n", part.name, err)
		} else if err != nil {
			return fmt.Errorf("measure %s: %w", part.name, err)
		}
	}
	return nil
}

// processLimit is how long one process may run.
const processLimit = 5 * time.Minute
