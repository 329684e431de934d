package metrics

import (
	"fmt"
	"slices"
	"strings"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// MachineText is the metrics of one machine's database, as Text returns them.
type MachineText struct{ Source, Text string }

// sourceLabel is the label that says of which machine a series is.
const sourceLabel = "source"

// Merge returns the metrics of several machines as one text, in which each series has a label with its machine. The
// error is that a text isn't one of metrics.
func Merge(machines []MachineText) (string, error) {
	all := map[string]*dto.MetricFamily{}
	for _, m := range machines {
		parser := expfmt.NewTextParser(model.LegacyValidation)
		families, err := parser.TextToMetricFamilies(strings.NewReader(m.Text))
		if err != nil {
			return "", fmt.Errorf("metrics of %s: %w", m.Source, err)
		}
		name, value := sourceLabel, m.Source
		for _, f := range families {
			for _, series := range f.Metric {
				series.Label = append(series.Label, &dto.LabelPair{Name: &name, Value: &value})
			}
			known := all[f.GetName()]
			if known == nil {
				all[f.GetName()] = f
				continue
			}
			known.Metric = append(known.Metric, f.Metric...)
		}
	}
	merged := make([]*dto.MetricFamily, 0, len(all))
	for _, f := range all {
		merged = append(merged, f)
	}
	slices.SortFunc(merged, func(a, b *dto.MetricFamily) int { return strings.Compare(a.GetName(), b.GetName()) })
	return Text(merged)
}
