package labelpage

import (
	"context"
	"fmt"
	"io"
	"testing"

	"lapsvm/dataset"
)

// A model is made of the labels of the page, and the page shows the progress.
func TestExport(t *testing.T) {
	begun, release := make(chan struct{}), make(chan struct{})
	p := served(t, NewContent(table(t, 40), nil, nil), func(c *Config, _ *control) {
		c.Exports.Model = func(_ context.Context, labelled *dataset.Dataset, progress func(string, int, int), w io.Writer) error {
			progress("solving", 1, 4)
			close(begun)
			<-release
			_, err := fmt.Fprintf(w, "%d labels of %d classes", len(labelled.Labelled()), len(labelled.Classes))
			return err
		}
	})
	p.post("anna", sent{Kind: "class-add", Name: "low"}, sent{Kind: "class-add", Name: "high"})
	p.post("anna", sent{Kind: "label", Row: 1, Class: class(0)}, sent{Kind: "label", Row: 2, Class: class(1)})
	p.learnt()
	got := make(chan string)
	go func() {
		_, text := p.do("GET", "/api/export/model.lapsvm", "")
		got <- text
	}()
	<-begun
	if m := p.server.modelState(); !m.Busy || m.Stage != "making the model: solving" || m.Share != 0.25 {
		t.Errorf("%+v", m)
	}
	close(release)
	if text := <-got; text != "2 labels of 2 classes" {
		t.Errorf("%q", text)
	}
	p.until(func(s pageState) bool { return !s.Model.Busy })
}
