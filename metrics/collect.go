package metrics

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"

	"lcm-tui/work"
)

// Gather reads all metrics. Where the database can't be read, those of it are as they were read last, and stale says
// why; that was counted.
func (e *Exporter) Gather(ctx context.Context) (all []*dto.MetricFamily, stale, err error) {
	n, stale, err := e.read(ctx)
	if err != nil {
		return nil, stale, err
	}
	r := prometheus.NewPedanticRegistry()
	if err := r.Register(collector{&n, e.Version}); err != nil {
		return nil, stale, err
	}
	all, err = r.Gather()
	withoutEmptyLabels(all)
	return all, stale, err
}

// Gatherer returns what reads all metrics, for the library. Numbers that are stale are no error.
func (e *Exporter) Gatherer(ctx context.Context) prometheus.Gatherer {
	return prometheus.GathererFunc(func() ([]*dto.MetricFamily, error) {
		all, _, err := e.Gather(ctx)
		return all, err
	})
}

// withoutEmptyLabels leaves out labels without a value, which mean the same: one metric has two sets of labels, and the
// library asks for one.
func withoutEmptyLabels(all []*dto.MetricFamily) {
	for _, f := range all {
		for _, m := range f.Metric {
			m.Label = slices.DeleteFunc(m.Label, func(l *dto.LabelPair) bool { return l.GetValue() == "" })
		}
	}
}

// collector gives numbers to the library.
type collector struct {
	*numbers
	version string
}

// Describe implements prometheus.Collector: which series there are depends on the numbers.
func (collector) Describe(ch chan<- *prometheus.Desc) {
	for _, f := range families {
		ch <- f.desc()
	}
	for _, l := range latencies {
		ch <- latencyDesc(l.metric)
	}
}

func (f *family) desc() *prometheus.Desc { return prometheus.NewDesc(f.name, f.help, f.labels, nil) }

func latencyDesc(metric string) *prometheus.Desc {
	return prometheus.NewDesc(metric, latencyHelp, nil, nil)
}

// Collect implements prometheus.Collector.
func (c collector) Collect(ch chan<- prometheus.Metric) {
	p := &points{}
	if c.sampled {
		c.addDatabase(p)
	}
	c.addReplica(p)
	c.addNoted(p)
	p.add("lcm_build_info", 1, cmp.Or(label(c.version), "unknown"), cmp.Or(label(c.Schema), "unknown"))
	for _, v := range p.order {
		ch <- prometheus.MustNewConstMetric(v.desc(), v.kind, v.value, v.labels...)
	}
	for _, l := range latencies {
		ch <- c.histogram(l.name, l.metric)
	}
}

// addDatabase adds what the database has.
func (c collector) addDatabase(p *points) {
	total := 0.0
	for _, a := range c.Agents {
		total += float64(a.Tokens)
		p.add("lcm_context_tokens", float64(a.Tokens), a.Name, "")
		p.add("lcm_context_threshold_tokens", float64(a.Threshold), a.Name, "")
	}
	p.add("lcm_context_tokens_total", total)
	for _, f := range c.Fullest {
		id := strconv.FormatInt(f.Conversation, 10)
		p.add("lcm_context_tokens", float64(f.Tokens), f.Agent, id)
		p.add("lcm_context_threshold_tokens", float64(f.Threshold), f.Agent, id)
	}
	p.add("lcm_messages", float64(c.Messages))
	p.add("lcm_conversations", float64(c.Active), "active")
	p.add("lcm_conversations", float64(c.Archived), "archived")
	p.add("lcm_database_bytes", float64(c.DatabaseBytes), "db")
	p.add("lcm_database_bytes", float64(c.WALBytes), "wal")
	p.add("lcm_database_bytes", float64(c.FileBytes), "files")
	for _, kind := range kinds {
		p.add("lcm_summaries_created_total", float64(c.Created[kind]), kind)
	}
	p.add("lcm_compaction_runs_total", float64(c.Runs), string(work.Manual), string(work.Done))
	p.add("lcm_uncovered_messages", float64(c.Uncovered))
	for _, s := range hostStates {
		is := 0.0
		if s == c.Host {
			is = 1
		}
		p.add("lcm_host_state", is, string(s))
	}
}

// addReplica adds how far the replica is behind.
func (c collector) addReplica(p *points) {
	if c.replica == nil {
		return
	}
	if at := c.replica.SyncedAt; !at.IsZero() {
		p.add("lcm_replica_lag_seconds", max(0, time.Since(at).Seconds()))
		p.add("lcm_replica_last_sync_timestamp_seconds", float64(at.Unix()))
	}
	p.add("lcm_replica_refusals_total", float64(c.replica.RefusedOrders), "orders")
	p.add("lcm_replica_refusals_total", float64(c.replica.RefusedSyncs), "syncs")
	p.add("lcm_replica_waiting_orders", float64(c.replica.WaitingOrders))
}

// addNoted adds what is noted beside the database.
func (c collector) addNoted(p *points) {
	for name := range totals {
		p.add(name, 0)
	}
	for _, direction := range []string{work.InputTokens, work.OutputTokens} {
		p.add("lcm_model_tokens_total", 0, direction)
	}
	p.add("lcm_follow_lag_seconds", max(0, c.lag.Seconds()))
	for service, at := range c.ticks {
		p.add("lcm_last_tick_timestamp_seconds", float64(at.UnixMilli())/1000, service)
	}
	for severity, n := range c.check {
		p.add("lcm_integrity_findings", float64(n), severity)
	}
	models, reasons := names{most: mostModels}, names{most: mostReasons}
	for _, n := range c.counters {
		switch n.Name {
		case work.EndedRuns:
			p.add("lcm_compaction_runs_total", n.Value, reasons.label(n.First), outcomeLabel(n.Second, runOutcomes))
		case work.EndedCalls:
			provider, model := modelLabels(models.label(n.First))
			p.add("lcm_model_calls_total", n.Value, provider, model, outcomeLabel(n.Second, callOutcomes))
		case work.CallTokens:
			p.add("lcm_model_tokens_total", n.Value, n.First)
		case work.CallDollars:
			p.add("lcm_model_cost_dollars_total", n.Value)
		default:
			for name, of := range totals {
				if of == n.Name {
					p.add(name, n.Value)
				}
			}
		}
	}
}

// totals are counters without labels, which begin with 0.
var totals = map[string]string{
	"lcm_integrity_failures_total":  work.FoundFaults,
	"lcm_follow_bad_lines_total":    work.BadLines,
	"lcm_injected_characters_total": work.InjectedCharacters,
	"lcm_scrape_errors_total":       work.FailedScrapes,
}

// How many models and reasons have labels of their own. The first ones keep theirs.
const (
	mostModels  = 20
	mostReasons = 8
)

// names gives labels to the first names, and one to the others together.
type names struct {
	most int
	has  []string
}

func (n *names) label(name string) string {
	name = label(name)
	if slices.Contains(n.has, name) {
		return name
	}
	if len(n.has) == n.most {
		return otherLabel
	}
	n.has = append(n.has, name)
	return name
}

// The outcomes that have labels of their own.
var (
	runOutcomes  = []string{"done", "skipped", "failed", "postponed"}
	callOutcomes = []string{"ok", "failed"}
)

func outcomeLabel(outcome string, known []string) string {
	if slices.Contains(known, outcome) {
		return outcome
	}
	return otherLabel
}

// modelLabels returns the provider and the model of a name of both.
func modelLabels(name string) (provider, model string) {
	provider, model, ok := strings.Cut(name, "/")
	if !ok {
		return otherLabel, cmp.Or(name, otherLabel)
	}
	return cmp.Or(provider, otherLabel), cmp.Or(model, otherLabel)
}

// histogram returns the buckets of a latency.
func (c collector) histogram(name, metric string) prometheus.Metric {
	buckets := map[float64]uint64{}
	var times uint64
	sum := 0.0
	for _, b := range append(slices.Clone(bounds), overBounds) {
		for _, l := range c.latencies {
			if l.Name == name && l.UpTo == b {
				times += uint64(max(0, l.Times))
				sum += l.Milliseconds
			}
		}
		if b != overBounds {
			buckets[float64(b)] = times
		}
	}
	return prometheus.MustNewConstHistogram(latencyDesc(metric), times, math.Max(0, sum), buckets)
}
