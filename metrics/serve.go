package metrics

import (
	"bytes"
	"fmt"
	"net/http"
	"sync"

	"github.com/prometheus/client_golang/prometheus/promhttp"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"

	"lcm-tui/internal/atomicfile"
)

// Handler serves the metrics, one scrape at a time. It asks nobody who they are: whoever mounts it does.
func (e *Exporter) Handler() http.Handler {
	var mu sync.Mutex
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "metrics are read with GET", http.StatusMethodNotAllowed)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		promhttp.HandlerFor(e.Gatherer(r.Context()), promhttp.HandlerOpts{}).ServeHTTP(w, r)
	})
}

// Text returns metrics as Prometheus reads them.
func Text(all []*dto.MetricFamily) (string, error) {
	var b bytes.Buffer
	for _, f := range all {
		if _, err := expfmt.MetricFamilyToText(&b, f); err != nil {
			return "", fmt.Errorf("write metrics: %w", err)
		}
	}
	return b.String(), nil
}

// WriteFile writes a text for the collector, whole or not at all. The collector is another user, and no text of anyone is in it.
func WriteFile(path, text string) error {
	const readable = 0o644
	return atomicfile.Write(path, []byte(text), atomicfile.Options{Mode: readable, Replace: true})
}
