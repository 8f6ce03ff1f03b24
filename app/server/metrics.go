package server

import (
	"slices"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"lapsvm/dataset"
)

// metrics are the metrics for Prometheus: of requests by route and status, of rows by model
// and version. Names of routes, models and classes are those of the server alone, so that
// no request makes a new series.
type metrics struct {
	registry    *prometheus.Registry
	requests    *prometheus.CounterVec
	seconds     *prometheus.HistogramVec
	inFlight    prometheus.Gauge
	reloads     *prometheus.CounterVec
	info        *prometheus.GaugeVec
	rows        *prometheus.CounterVec
	predictions *prometheus.CounterVec
	far, judged *prometheus.CounterVec
	largest     *prometheus.HistogramVec
	batchRows   *prometheus.HistogramVec
	batchOf     *prometheus.HistogramVec
}

// outside is the class of a row outside of a one-class model's.
const outside = "(outside)"

func newMetrics() *metrics {
	ofVersion := []string{"model", "version"}
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	}
	histogram := func(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
		return prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets}, labels)
	}
	m := &metrics{
		registry:    prometheus.NewRegistry(),
		requests:    counter("lapsvm_requests_total", "Requests answered, by route and status.", "route", "code"),
		seconds:     histogram("lapsvm_request_seconds", "Time from the header of a request to the end of its answer.", prometheus.ExponentialBucketsRange(0.0002, 60, 18), "route"),
		inFlight:    prometheus.NewGauge(prometheus.GaugeOpts{Name: "lapsvm_requests_in_flight", Help: "Requests that have one of the bounded places."}),
		reloads:     counter("lapsvm_model_reads_total", "Model files read, by result.", "result"),
		info:        prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "lapsvm_model_info", Help: "1 for each version that is served, with the beginning of the SHA-256 of its file."}, []string{"model", "version", "checksum"}),
		rows:        counter("lapsvm_rows_total", "Rows predicted.", ofVersion...),
		predictions: counter("lapsvm_predictions_total", "Rows predicted to have each class; none of a regression.", "model", "version", "class"),
		far:         counter("lapsvm_far_rows_total", "Rows that are far from all training points.", ofVersion...),
		judged:      counter("lapsvm_judged_rows_total", "Rows that were checked for being far from all training points.", ofVersion...),
		largest:     histogram("lapsvm_largest_probability", "Largest probability of a row: the sum over the count is its mean.", prometheus.LinearBuckets(0.1, 0.1, 9), ofVersion...),
		batchRows:   histogram("lapsvm_batch_rows", "Rows of a batch.", prometheus.ExponentialBuckets(1, 2, 9), ofVersion...),
		batchOf:     histogram("lapsvm_batch_requests", "Requests gathered into a batch.", prometheus.ExponentialBuckets(1, 2, 9), ofVersion...),
	}
	m.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		m.requests, m.seconds, m.inFlight, m.reloads, m.info, m.rows, m.predictions, m.far, m.judged, m.largest, m.batchRows, m.batchOf)
	return m
}

// answered counts a request.
func (m *metrics) answered(route string, status int, elapsed time.Duration) {
	m.requests.WithLabelValues(route, strconv.Itoa(status)).Inc()
	m.seconds.WithLabelValues(route).Observe(elapsed.Seconds())
}

// serving removes versions that are no longer served from the metrics, and lists the served
// ones.
func (m *metrics) serving(before, now catalogue) {
	m.info.Reset()
	for name, versions := range now {
		for _, v := range versions {
			m.info.WithLabelValues(name, v.version, v.checksum).Set(1)
		}
	}
	for name, versions := range before {
		for _, v := range versions {
			if _, err := now.find(name, v.version); err != nil {
				gone := prometheus.Labels{"model": name, "version": v.version}
				for _, vec := range []interface {
					DeletePartialMatch(prometheus.Labels) int
				}{m.rows, m.predictions, m.far, m.judged, m.largest, m.batchRows, m.batchOf} {
					vec.DeletePartialMatch(gone)
				}
			}
		}
	}
}

// watch counts the answers of a version.
type watch struct {
	rows, far, judged           prometheus.Counter
	classes                     []prometheus.Counter // and, of a single one, outside of it
	largest, batchRows, batchOf prometheus.Observer
}

func (m *metrics) watch(v *version) *watch {
	w := &watch{rows: m.rows.WithLabelValues(v.name, v.version), far: m.far.WithLabelValues(v.name, v.version), judged: m.judged.WithLabelValues(v.name, v.version),
		largest: m.largest.WithLabelValues(v.name, v.version), batchRows: m.batchRows.WithLabelValues(v.name, v.version), batchOf: m.batchOf.WithLabelValues(v.name, v.version)}
	classes := v.classes
	if v.kind().Outside() {
		classes = append(classes[:1:1], outside)
	}
	for _, class := range classes {
		w.classes = append(w.classes, m.predictions.WithLabelValues(v.name, v.version, class))
	}
	return w
}

func (w *watch) batch(requests, rows int) {
	w.batchRows.Observe(float64(rows))
	w.batchOf.Observe(float64(requests))
}

func (w *watch) answered(a answers) {
	w.rows.Add(float64(max(len(a.Labels), len(a.Values))))
	counts := make([]int, len(w.classes))
	for i, class := range a.Labels {
		for _, class := range a.Has(i) {
			counts[class]++
		}
		if class == dataset.Unlabelled && len(counts) > len(a.Classes) {
			counts[len(a.Classes)]++
		}
	}
	for class, n := range counts {
		w.classes[class].Add(float64(n))
	}
	for _, row := range a.Proba {
		w.largest.Observe(slices.Max(row))
	}
	if a.far == nil {
		return
	}
	far := 0
	for _, is := range a.far {
		if is {
			far++
		}
	}
	w.judged.Add(float64(len(a.far)))
	w.far.Add(float64(far))
}
