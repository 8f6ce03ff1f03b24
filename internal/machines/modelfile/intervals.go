package modelfile

import "lapsvm/calibrate"

// intervalsHeader has the shapes of what intervals are made of. Its arrays come last in a file: the residual of
// every label, the machine without it, and the coefficients and the bias of each machine, as float64.
type intervalsHeader struct {
	Labels   int `json:"labels"`
	Machines int `json:"machines,omitempty"`
}

func intervalsToHeader(v *calibrate.Intervals) *intervalsHeader {
	if v == nil {
		return nil
	}
	return &intervalsHeader{len(v.Residual), len(v.Bias)}
}

func (e *encoder) intervals(v *calibrate.Intervals) {
	if v == nil {
		return
	}
	e.floats(v.Residual)
	for _, k := range v.Machine {
		e.floats([]float64{float64(k)})
	}
	for _, machine := range v.Coefficients {
		e.floats(machine)
	}
	e.floats(v.Bias)
}

func (d *decoder) intervals(h *intervalsHeader, basis int) *calibrate.Intervals {
	if h == nil {
		return nil
	}
	v := &calibrate.Intervals{Residual: d.floats(h.Labels)}
	if h.Machines <= 0 {
		return v
	}
	for _, k := range d.floats(h.Labels) {
		v.Machine = append(v.Machine, int(k))
	}
	for range h.Machines {
		if d.err != nil {
			return nil
		}
		v.Coefficients = append(v.Coefficients, d.floats(basis))
	}
	v.Bias = d.floats(h.Machines)
	return v
}
