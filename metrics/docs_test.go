package metrics_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lcm-tui/internal/eventlog"
	"lcm-tui/internal/testdb"
)

// metricName matches the name of a metric of ours in an expression or a page.
var metricName = regexp.MustCompile(`\blcm_[a-z_]+[a-z]`)

// metricNames returns the names of all metrics.
func metricNames(t *testing.T) (names []string) {
	t.Helper()
	all, _, err := full(t).Gather(t.Context())
	testdb.Must(t, err)
	for _, f := range all {
		names = append(names, f.GetName())
	}
	return names
}

// TestTheDashboard has eight panels, and every metric in them exists.
func TestTheDashboard(t *testing.T) {
	t.Parallel()
	names := metricNames(t)
	text, err := os.ReadFile(filepath.Join("..", "docs", "grafana.json"))
	testdb.Must(t, err)
	var dashboard struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	testdb.Must(t, json.Unmarshal(text, &dashboard))
	if len(dashboard.Panels) != 8 {
		t.Errorf("%d panels", len(dashboard.Panels))
	}
	for _, p := range dashboard.Panels {
		found := 0
		for _, target := range p.Targets {
			for _, name := range metricName.FindAllString(target.Expr, -1) {
				found++
				if name = strings.TrimSuffix(name, "_bucket"); !slices.Contains(names, name) {
					t.Errorf("%s: there is no metric %s", p.Title, name)
				}
			}
		}
		if found == 0 {
			t.Errorf("%s shows no metric", p.Title)
		}
	}
}

// TestThePage names every metric and every key of logs, and none that doesn't exist.
func TestThePage(t *testing.T) {
	t.Parallel()
	names := metricNames(t)
	b, err := os.ReadFile(filepath.Join("..", "docs", "metrics.md"))
	testdb.Must(t, err)
	page := string(b)
	tools := []string{"lcm_search", "lcm_grep", "lcm_expand", "lcm_expand_query"}
	for _, name := range metricName.FindAllString(page, -1) {
		if !slices.Contains(names, name) && !slices.Contains(tools, name) {
			t.Errorf("there is no metric %s", name)
		}
	}
	for _, name := range append(names, eventlog.Keys()...) {
		if !strings.Contains(page, "`"+name+"`") {
			t.Errorf("the page doesn't name %s", name)
		}
	}
}
