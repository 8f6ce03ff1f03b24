package modelfile

import (
	"bytes"
	"errors"
	"fmt"

	"lapsvm/internal/machines/task"
)

// viewsPart is the part of the machines beside the leading one of a mean: a whole file each. Without them the file has another model.
const viewsPart = "views"

// meanEachPart is an empty part where the mean is of several classes: programs that know of other means alone refuse the file by its name.
const meanEachPart = "mean-each"

// View is a machine beside that of the contents.
type View struct {
	Weight float64 // in the mean; the machine of the contents has what is left of 1
	*Contents
}

// Machines returns the machines of a mean, the leading one first, each without views. Of one machine it returns that with the weight 1.
func (c *Contents) Machines() []View {
	leading := *c
	leading.Views, leading.Mean, leading.MeanEach = nil, nil, nil
	all := append([]View{{1, &leading}}, c.Views...)
	for _, v := range c.Views {
		all[0].Weight -= v.Weight
	}
	return all
}

// viewsHeader has the views of a mean.
type viewsHeader struct {
	Weights     []float64          `json:"weights"`
	Bytes       []int              `json:"bytes"`
	Calibration *calibrationHeader `json:"calibration,omitempty"` // of the mean; nil of numbers and of several classes
	Each        *eachHeader        `json:"each,omitempty"`        // of the mean of several classes
	Held        *heldHeader        `json:"each_held,omitempty"`
}

// viewsToHeader returns the header of the views, and their files.
func viewsToHeader(c *Contents) (*viewsHeader, []byte, error) {
	if len(c.Views) == 0 {
		return nil, nil, nil
	}
	h := &viewsHeader{Calibration: calibrationToHeader(c.Mean)}
	h.Each, h.Held = eachToHeader(c.MeanEach)
	var files bytes.Buffer
	for _, v := range c.Views {
		before := files.Len()
		if err := Write(&files, v.Contents); err != nil {
			return nil, nil, err
		}
		h.Weights, h.Bytes = append(h.Weights, v.Weight), append(h.Bytes, files.Len()-before)
	}
	return h, files.Bytes(), nil
}

// validate reports views that no mean has.
func (h *viewsHeader) validate(of *header) error {
	if h == nil {
		return nil
	}
	left, all, each, numbers := 1.0, 0, of.kind() == task.OfSeveral, of.kind() == task.OfNumbers
	shared := !each && !numbers // one calibration of all classes
	if len(h.Weights) == 0 || len(h.Weights) != len(h.Bytes) || (h.Calibration != nil) != shared || (of.Calibration != nil) != shared || (h.Each != nil) != each || (of.Each != nil) != each {
		return fmt.Errorf("%d weights of %d views, or without a calibration", len(h.Weights), len(h.Bytes))
	}
	for k, w := range h.Weights {
		if !(w > 0 && w < 1) || h.Bytes[k] < 0 {
			return fmt.Errorf("a view of the weight %v and %d bytes", w, h.Bytes[k])
		}
		left, all = left-w, all+h.Bytes[k]
	}
	for _, part := range of.Parts {
		if part.Name == viewsPart && part.Bytes == all && left > 0 {
			return nil
		}
	}
	return errors.New("views whose weights or sizes do not fit")
}

// views reads the files of the views into c.
func (d *decoder) views(h *header, c *Contents) error {
	if h.Views == nil {
		return errors.New("views without their weights")
	}
	c.Mean, c.MeanEach = h.Views.Calibration.calibration(), h.Views.Each.each(h.Views.Held)
	for k, size := range h.Views.Bytes {
		file := d.bytes(size)
		if d.err != nil {
			return nil // end says so
		}
		v, err := Read(bytes.NewReader(file))
		switch {
		case err != nil:
			return fmt.Errorf("view %d: %w", k+1, err)
		case v.Views != nil || v.Kind != c.Kind || len(v.Classes) != len(c.Classes) || (v.Calibration == nil) != (c.Calibration == nil) || (v.Each == nil) != (c.Each == nil):
			return fmt.Errorf("view %d is of other labels, or without a calibration", k+1)
		case v.Encoding != nil || v.Local != nil || v.Attachment != nil || v.Intervals != nil || v.LabelShares != nil:
			return fmt.Errorf("view %d has more than its machine", k+1)
		}
		c.Views = append(c.Views, View{h.Views.Weights[k], v})
	}
	return nil
}

// validViews reports views of other rows or labels than the leading machine.
func (c *Contents) validViews() error {
	if len(c.Views) == 0 {
		return nil
	}
	if c.Intervals != nil && len(c.Intervals.Bias) > 0 {
		return errors.New("intervals of one machine in a mean of views")
	}
	for k, v := range c.Views {
		if v.inputs() != c.inputs() {
			return fmt.Errorf("view %d has %d columns of %d", k+1, v.inputs(), c.inputs())
		}
	}
	if c.MeanEach != nil {
		return c.MeanEach.Validate(len(c.Classes))
	}
	return validCalibration(c.Mean, len(c.Classes))
}

// inputs returns the number of columns that rows have before they are described.
func (c *Contents) inputs() int {
	if c.Description != nil {
		return c.Description.Inputs()
	}
	return c.Basis.Dim()
}
