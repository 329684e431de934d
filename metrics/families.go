package metrics

import (
	"strconv"

	"github.com/prometheus/client_golang/prometheus"
)

// family is a metric with its labels.
type family struct {
	name, help string
	kind       prometheus.ValueType
	labels     []string
}

const (
	gauge   = prometheus.GaugeValue
	counter = prometheus.CounterValue
)

// families are all metrics but histograms. Six names are those of the specification, though three break the rules of
// names: lcm_context_tokens_total is no counter, and the latencies have no base unit.
var families = []family{
	{"lcm_context_tokens_total", "Tokens in the contexts of all active conversations.", gauge, nil},
	{"lcm_context_tokens", "Tokens in the contexts of active conversations, by agent.", gauge, []string{"agent", "conversation_id"}},
	{"lcm_context_threshold_tokens", "Tokens from which on these contexts are compacted, added up by agent.", gauge, []string{"agent", "conversation_id"}},
	{"lcm_compaction_runs_total", "Compactions that ended, by what asked for them and what became of them.", counter, []string{"reason", "outcome"}},
	{"lcm_summaries_created_total", "Summaries that were made, also those that are deleted by now.", counter, []string{"kind"}},
	{"lcm_integrity_failures_total", "Findings that are errors or worse, of all checks together.", counter, nil},
	{"lcm_integrity_findings", "Findings of the last check of the whole file.", gauge, []string{"severity"}},
	{"lcm_messages", "Messages in the database.", gauge, nil},
	{"lcm_conversations", "Conversations in the database.", gauge, []string{"state"}},
	{"lcm_database_bytes", "Size of the database, of its write-ahead log, and of the large files that it names.", gauge, []string{"part"}},
	{"lcm_follow_lag_seconds", "How long the session file that waits longest has something that is not imported.", gauge, nil},
	{"lcm_last_tick_timestamp_seconds", "When a service looked last at what there is to do, in seconds since 1970.", gauge, []string{"service"}},
	{"lcm_follow_bad_lines_total", "Lines of followed session files that could not be read.", counter, nil},
	{"lcm_injected_characters_total", "Characters that hooks put into contexts.", counter, nil},
	{"lcm_model_calls_total", "Calls of models for summaries, descriptions and answers, by work and by hand.", counter, []string{"provider", "model", "outcome"}},
	{"lcm_model_tokens_total", "Tokens of these calls.", counter, []string{"direction"}},
	{"lcm_model_cost_dollars_total", "Cost of these calls in US dollars, of those whose price is known.", counter, nil},
	{"lcm_uncovered_messages", "Messages that a host took out of contexts by mistake, and that no summary covers.", gauge, nil},
	{"lcm_replica_lag_seconds", "How long ago the replica of the database was last found equal to its file.", gauge, nil},
	{"lcm_replica_last_sync_timestamp_seconds", "When that was, in seconds since 1970.", gauge, nil},
	{"lcm_replica_refusals_total", "Plans that the machine of the file refused, and syncs that the replica refused.", counter, []string{"what"}},
	{"lcm_replica_waiting_orders", "Plans in the replica that the machine of the file has not taken.", gauge, nil},
	{"lcm_host_state", "1 for the state of the host: live where another program has the database open.", gauge, []string{"state"}},
	{"lcm_scrape_errors_total", "Scrapes for which the database could not be read, so that the numbers of the last one were given.", counter, nil},
	{"lcm_build_info", "1, with the version of this program and the first version of the host that has such a database.", gauge, []string{"version", "schema"}},
}

// latencyHelp is the help of the histograms.
const latencyHelp = "How long calls of this tool of agents took, in milliseconds."

// points are values by name and labels. Equal ones add up: two names may have one label.
type points struct {
	order  []point
	values map[string]int
}

type point struct {
	*family
	labels []string
	value  float64
}

// add adds a value. The labels are those of the family in their order.
func (p *points) add(name string, value float64, labels ...string) {
	key := name
	for _, l := range labels {
		key += "\x00" + strconv.Quote(l)
	}
	if i, ok := p.values[key]; ok {
		p.order[i].value += value
		return
	}
	for i := range families {
		if families[i].name == name {
			if p.values == nil {
				p.values = map[string]int{}
			}
			p.values[key] = len(p.order)
			p.order = append(p.order, point{&families[i], labels, value})
			return
		}
	}
	panic("no family " + name) // Its name is a constant of this package.
}
