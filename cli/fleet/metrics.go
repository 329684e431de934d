package fleet

import (
	"context"
	"fmt"
	"strings"

	"lcm-tui/cli"
	"lcm-tui/fleet"
	"lcm-tui/metrics"
)

// metricsName is the command whose numbers are one text of Prometheus, in which each series says of which machine it is.
const metricsName = "metrics"

// machineMetrics are the metrics of the copies themselves.
const machineMetrics = `# HELP lcm_fleet_copy_age_seconds How long ago the machine was asked last with success.
# TYPE lcm_fleet_copy_age_seconds gauge
lcm_fleet_copy_age_seconds %g
# HELP lcm_fleet_copy_bytes Size of the newest copy.
# TYPE lcm_fleet_copy_bytes gauge
lcm_fleet_copy_bytes %d
`

// pullMetric is 1 where the last try to fetch a copy failed.
const pullMetric = `# HELP lcm_fleet_pull_failed Whether the last try to fetch a copy failed.
# TYPE lcm_fleet_pull_failed gauge
lcm_fleet_pull_failed %d
`

// metrics runs metrics on each copy, or source of a replica, and merges what it prints. A copy that can't be read has only the numbers about itself.
func (c *over) metrics(ctx context.Context, chosen []fleet.State, copies []cli.Copy) (cli.Result, error) {
	file := c.cmd.Flags().Lookup("textfile").Value.String()
	if file != "" && !strings.HasSuffix(file, ".prom") {
		return nil, cli.UsageErrorf("--textfile %q: the collector reads only files whose names end in .prom", file)
	}
	r := &fleetMetrics{textfile: file}
	var texts []metrics.MachineText
	for i, one := range copies {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		own := ""
		if chosen != nil {
			own = copyMetrics(&chosen[i], one)
		}
		if one.Database != "" {
			printed, messages, exit := c.Again(ctx, append([]string{"--db", one.Database}, withoutTextfile(withoutFleet(c.Arguments))...)...)
			copies[i].Exit, copies[i].Error = exit, strings.TrimSpace(messages)
			texts = append(texts, metrics.MachineText{Source: one.Source, Text: printed})
		}
		texts = append(texts, metrics.MachineText{Source: one.Source, Text: own})
		if problem := copies[i].Error; problem != "" {
			c.CommandWarnings = append(c.CommandWarnings, fmt.Errorf("%s: %s", one.Source, problem))
		}
	}
	c.Exit = cli.ExitOf(copies)
	text, err := metrics.Merge(texts)
	if err != nil {
		return nil, err
	}
	if r.text = text; file == "" {
		return r, nil
	}
	path, err := cli.ReplacedFile(ctx, c.ClosedDestinations(), file)
	if err != nil {
		return nil, err
	}
	return r, metrics.WriteFile(path, text)
}

// copyMetrics returns the numbers about a copy itself.
func copyMetrics(state *fleet.State, one cli.Copy) string {
	failed := 0
	if state.Error != "" {
		failed = 1
	}
	text := fmt.Sprintf(pullMetric, failed)
	if one.Database != "" {
		text += fmt.Sprintf(machineMetrics, *one.Age, state.Newest.Bytes)
	}
	return text
}

// withoutTextfile returns the arguments of a command line without --textfile.
func withoutTextfile(args []string) (out []string) {
	for i := 0; i < len(args); i++ {
		switch {
		case args[i] == "--textfile":
			i++ // Its value.
		case !strings.HasPrefix(args[i], "--textfile="):
			out = append(out, args[i])
		}
	}
	return out
}

// fleetMetrics is the metrics of several machines.
type fleetMetrics struct {
	cli.WarningList

	text     string
	textfile string
}

// Print implements cli.Result.
func (r *fleetMetrics) Print(p *cli.Printer) {
	if r.textfile == "" {
		p.Write(r.text)
	}
}
