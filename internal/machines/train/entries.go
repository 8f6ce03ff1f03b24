package train

import (
	"reflect"
	"strconv"

	"lapsvm/internal/numbers/objective"
)

// Entry is a setting of a recipe, as info and reports list it.
type Entry struct{ Name, Text string }

// Entries lists the settings that a whole recipe has, but for its members. For a mean it has the
// settings of the leading member.
func (r Recipe) Entries() []Entry {
	leading := r.Leading()
	r.GammaA, r.GammaI, r.Graph.Neighbours, r.Graph.Degree, r.Members = leading.GammaA, leading.GammaI, leading.Neighbours, leading.LaplacianDegree, nil
	d := draftOf(r)
	var all []Entry
	for _, s := range Settings() {
		if s.Name != "" && s.written(d) {
			all = append(all, Entry{s.Name, s.inWords(d)})
		}
	}
	return all
}

// Flags returns the settings that a recipe has, by their flags, as the flags take them.
func (r Recipe) Flags() map[string]string {
	d, all := draftOf(r), make(map[string]string)
	for _, s := range Settings() {
		if s.Flag != "" && s.written(d) {
			all[s.Flag] = s.Text(d)
		}
	}
	return all
}

// inWords returns the setting of a draft as people read it. Numbers have six digits.
func (s Setting) inWords(d *Draft) string {
	if s.words != nil {
		return s.words(d.Recipe)
	}
	switch v := reflect.ValueOf(s.at(d)).Elem(); v.Kind() {
	case reflect.Float64:
		return strconv.FormatFloat(v.Float(), 'g', 6, 64)
	case reflect.Bool:
		if s.Type() == "bool" {
			return "yes"
		}
	}
	return s.Text(d)
}

func biasInWords(r Recipe) string {
	switch r.Bias {
	case objective.NoBias:
		return "none"
	case objective.BiasInNorm:
		return "yes, part of the intrinsic norm"
	}
	return "yes, outside the intrinsic norm"
}

// scalingInWords tells the reason too, where the scaling was chosen.
func scalingInWords(r Recipe) string {
	if r.StandardiseReason == "" {
		return string(r.Standardise)
	}
	return string(r.Standardise) + ": " + r.StandardiseReason
}
