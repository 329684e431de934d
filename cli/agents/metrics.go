package agents

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/engine/assemble"
	"lcm-tui/metrics"
)

// metricsFlags is which metrics are printed, and where.
type metricsFlags struct {
	conversations *cli.IntegerFlag
	textfile      cli.TextFlag
}

func metricsCommand(a *cli.App) *cobra.Command {
	k := &metricsFlags{conversations: cli.AtLeast(1, "N"), textfile: cli.TextFlag{Noun: "FILE"}}
	cmd := a.Command(cli.GroupAgents, "metrics", "Print numbers about the database for Prometheus", k.run)
	cmd.Long = `Prints how full contexts are, what was summarized, found, imported and spent, and how long calls
of agents took, in the text format of Prometheus. The numbers come from the database, this
program's records in it, and what is noted beside it, so that counters go on where another
process or an undo left them. No text, path or session id is in them.

--textfile writes a file for the textfile collector of node_exporter, whole or not at all;
other users may read it. mcp --http serves the same at /metrics.

Where the database is locked, the numbers of it are those that were read last, and
lcm_scrape_errors_total rises. Writes nothing to the database.`
	cmd.Example = "  lcm-tui metrics\n  lcm-tui metrics --per-conversation 10\n  lcm-tui metrics --textfile lcm.prom"
	fs := cmd.Flags()
	fs.Var(k.conversations, "per-conversation", "also the N fullest contexts, each by its number")
	fs.Var(&k.textfile, "textfile", "write into this file, whose name ends in .prom, and print nothing")
	return cmd
}

// metricsWait is how long a scrape waits for a lock of another program.
const metricsWait = 500 * time.Millisecond

// newExporter returns what reads the metrics of the database, without what is noted beside it.
func newExporter(c *cli.Invocation) *metrics.Exporter {
	l, _ := c.Locate() // Without a database there is no replica of it.
	return &metrics.Exporter{
		Replica: cli.ReplicaLag(c.App, l.Database),
		Open: func(ctx context.Context) (*data.DB, error) {
			return (&cli.Invocation{App: c.App, LockWait: metricsWait}).Open(ctx)
		},
		Version: c.Sys.VersionText(),
		Thresholds: func() func(int64) int64 {
			set := (&cli.Invocation{App: c.App}).HostSettings(nil).Compaction()
			return func(budget int64) int64 { return set.Threshold(cmp.Or(budget, assemble.DefaultBudget)) }
		},
	}
}

func (k *metricsFlags) run(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	path := k.textfile.Value
	if path != "" && !strings.HasSuffix(path, ".prom") {
		return nil, cli.UsageErrorf("--textfile %q: the collector reads only files whose names end in .prom", path)
	}
	path, err := cli.ReplacedFile(ctx, c.ClosedDestinations(), path)
	if err != nil {
		return nil, err
	}
	l, _ := c.Locate()
	if !cli.DatabaseExists(l.Database) {
		_, err := c.Open(ctx) // Says where it was looked for.
		return nil, err
	}
	e, late := newExporter(c), &lateNotes{c: c}
	defer late.close()
	if cli.IsReplica(l.Database) { // What is noted beside the database is where that is.
		e.Notes = nil
	} else if _, err := late.open(ctx); err == nil {
		e.Notes = late.open
	} else {
		c.CommandWarnings = append(c.CommandWarnings, fmt.Errorf("nothing is counted on from one run to the next: %w", err))
	}
	e.Conversations = int(k.conversations.Value)
	all, stale, err := e.Gather(ctx)
	if err != nil {
		return nil, err
	}
	r := &metricsResult{Samples: samplesOf(all), Textfile: path, families: all}
	if stale != nil {
		c.CommandWarnings = append(c.CommandWarnings, stale)
	}
	if path != "" {
		text, err := metrics.Text(all)
		if err != nil {
			return nil, err
		}
		if err := metrics.WriteFile(path, text); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// metricsResult is the metrics of a database.
type metricsResult struct {
	Samples  []metricSample `json:"samples"`
	Textfile string         `json:"textfile,omitempty"`
	cli.WarningList

	families []*dto.MetricFamily
}

// metricSample is the value of a series.
type metricSample struct {
	Name   string            `json:"name"`
	Labels map[string]string `json:"labels,omitempty"`
	Value  float64           `json:"value"`
}

// samplesOf returns the series of metrics. Of a histogram there are its count and its sum.
func samplesOf(all []*dto.MetricFamily) []metricSample {
	out := []metricSample{}
	for _, f := range all {
		for _, m := range f.Metric {
			s := metricSample{Name: f.GetName()}
			for _, l := range m.Label {
				if s.Labels == nil {
					s.Labels = map[string]string{}
				}
				s.Labels[l.GetName()] = l.GetValue()
			}
			switch {
			case m.Histogram != nil:
				count, sum := s, s
				count.Name, count.Value = s.Name+"_count", float64(m.Histogram.GetSampleCount())
				sum.Name, sum.Value = s.Name+"_sum", m.Histogram.GetSampleSum()
				out = append(out, count, sum)
				continue
			case m.Counter != nil:
				s.Value = m.Counter.GetValue()
			default:
				s.Value = m.Gauge.GetValue()
			}
			out = append(out, s)
		}
	}
	return out
}

// Print implements cli.Result.
func (r *metricsResult) Print(p *cli.Printer) {
	if r.Textfile != "" {
		return
	}
	text, err := metrics.Text(r.families)
	if err == nil {
		p.Write(text)
	}
}
