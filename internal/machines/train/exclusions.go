package train

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"lapsvm/internal/points/gram"
	"lapsvm/internal/points/graph"
	"lapsvm/internal/system/fault"
	"lapsvm/kernel"
	"lapsvm/points"
)

// exclusion is a setting that another setting excludes: a column of the table of settings.
type exclusion struct {
	key string // of the setting that is excluded
	// why returns the reason, with what to do, or "" where the recipe may have both. It is nil
	// where both settings are the same field of the recipe.
	why func(r Recipe) string
}

// ExclusionError is the error of two settings that exclude each other.
type ExclusionError struct {
	settings [2]Setting
	of       *Draft
	why      string
}

// Error names the fields of the recipe.
func (e *ExclusionError) Error() string { return e.Fault().Error() }

// Fault is the error as a message.
func (e *ExclusionError) Fault() fault.Message { return e.Worded(nil) }

// Unwrap returns the name of such errors.
func (e *ExclusionError) Unwrap() error { return fault.Excluded }

// Worded returns the message with the settings under the names that a function returns. A nil
// function stands for the fields of the recipe.
func (e *ExclusionError) Worded(name func(Setting) string) fault.Message {
	var named [2]string
	for k, s := range e.settings {
		text := s.value(e.of)
		switch _, weight := s.at(e.of).(*intrinsic); {
		case name != nil:
			named[k] = name(s) + text
		case weight && e.of.Recipe.Supervised: // a field of its own
			named[k] = "Supervised"
		default:
			named[k] = s.field(e.of) + text
		}
	}
	return fault.Excluded.Messagef("%s and %s exclude each other: "+strings.ReplaceAll(e.why, "%", "%%"), named[0], named[1])
}

// checkExclusions reports two settings of the recipe that exclude each other. Defaults that do not
// depend on the data are in the recipe.
func (r Recipe) checkExclusions() error {
	all, d := Settings(), draftOf(r)
	for _, s := range all {
		for _, e := range s.exclusions() {
			if e.why == nil || !s.written(d) {
				continue
			}
			if why := e.why(r); why != "" {
				return &ExclusionError{[2]Setting{s, all[slices.IndexFunc(all, func(s Setting) bool { return s.Key == e.key })]}, d, why}
			}
		}
	}
	return nil
}

// checkKeys reports two keys of a recipe in JSON that are the same field.
func checkKeys(values map[string]json.RawMessage) error {
	for _, s := range Settings() {
		for _, e := range s.excludes {
			if e.why == nil && given(values[s.Key]) && given(values[e.key]) {
				return fault.Excluded.Errorf("%s and %s exclude each other: leave one of the two out", s.Key, e.key)
			}
		}
	}
	return nil
}

// given reports whether JSON has a value that is not empty.
func given(value json.RawMessage) bool {
	text := string(value)
	return text != "" && text != "null" && text != `""`
}

// By returns the recipe for a solver, without the settings that belong to another.
func (r Recipe) By(s Solver) Recipe {
	d := &Draft{Recipe: r}
	for _, row := range Settings() {
		if row.Only != "" && row.Only != s {
			reflect.ValueOf(row.at(d)).Elem().SetZero()
		}
	}
	d.Recipe.Solver = s
	return d.Recipe
}

// field returns the name of a setting in Go: that of the field of the recipe where the value is, or the
// key in camel case.
func (s Setting) field(d *Draft) string {
	if _, is := s.at(d).(*neighbours); is {
		return "Graph.Neighbours"
	}
	if s.kind != "" {
		return "Kind " + string(s.kind)
	}
	at := reflect.ValueOf(s.at(d))
	for _, in := range []struct {
		prefix string
		v      reflect.Value
	}{{"", reflect.ValueOf(&d.Recipe).Elem()}, {"Graph.", reflect.ValueOf(&d.Recipe.Graph).Elem()}} {
		for k := range in.v.NumField() {
			field := in.v.Field(k)
			if field.Addr().UnsafePointer() == at.UnsafePointer() && field.Kind() == at.Elem().Kind() {
				return in.prefix + in.v.Type().Field(k).Name
			}
		}
	}
	name := ""
	for word := range strings.SplitSeq(s.Key, "_") {
		name += strings.ToUpper(word[:1]) + word[1:]
	}
	return name
}

// value returns the value of a setting behind a space, for a message. Values that are true, and those
// without a short text, are "".
func (s Setting) value(d *Draft) string {
	at := s.at(d)
	_, worded := at.(fmt.Stringer)
	switch kind := reflect.TypeOf(at).Elem().Kind(); {
	case worded, kind == reflect.String, kind == reflect.Int, kind == reflect.Float64:
		return " " + s.Text(d)
	}
	return ""
}

// leaveOut is what to do about most exclusions.
const leaveOut = "; leave one of the two out"

// exclusions returns those of the row of the setting: of all that say a kind of label the same, and of solvers that do not have it.
func (s Setting) exclusions() []exclusion {
	switch {
	case s.kind != "":
		return exclusionsOfKind()
	case s.Only != "":
		return append(slices.Clip(s.excludes), exclusion{"solver", func(r Recipe) string { return belongsTo(s.Only, r.Solver) }})
	}
	return s.excludes
}

// belongsTo is for a setting that one solver alone has.
func belongsTo(only, solver Solver) string {
	if solver == Auto || solver == only {
		return ""
	}
	return fmt.Sprintf("the first is a setting of the solver %s"+leaveOut, only)
}

// formOfLandmarks is for the form of the Gram matrix that the solver Landmarks alone has.
func formOfLandmarks(r Recipe) string {
	if r.Gram != gram.FormLandmarks {
		return ""
	}
	return belongsTo(Landmarks, r.Solver)
}

// lossWithoutSolver is for a solver that does not minimise the loss.
func lossWithoutSolver(r Recipe) string {
	if solver, known := methodOf(r.Solver); known && !solver.minimises(r.Loss) {
		return fmt.Sprintf("choose the loss from %s, or the solver from %s", words(solver.losses()), words(solversOf(r.Loss, func(method) bool { return true })))
	}
	return ""
}

// priorOfLabelled is for a supervised machine, which has no unlabelled points.
func priorOfLabelled(r Recipe) string {
	if r.Prior != nil && r.Supervised {
		return "a prior shifts the predictions on unlabelled points, which a supervised machine leaves out; give a gamma-i above 0, or no prior"
	}
	return ""
}

// scaledKernel is for values of a kernel, which are no points to scale.
func scaledKernel(r Recipe) string {
	if !kernel.OfFeatures(r.Kernel) && r.Standardise != points.AsIs {
		return "kernel values cannot be scaled; leave the scaling out, or scale the points that the kernel was computed of"
	}
	return ""
}

// describedKernel is for values of a kernel, which are no pictures.
func describedKernel(r Recipe) string {
	if !kernel.OfFeatures(r.Kernel) && len(r.Describe.Names()) > 0 {
		return "kernel values cannot be described; leave the description out, or describe the points that the kernel was computed of"
	}
	return ""
}

// metricOfKernel is for kernel values, which have a metric of their own. Points do not have it.
func metricOfKernel(r Recipe) string {
	switch own := graph.MetricOf(r.Kernel); {
	case own != "" && r.Graph.Metric != own:
		return fmt.Sprintf("neighbours are near by the values that are given, which is the metric %s; leave the metric out", own)
	case own == "" && r.Graph.Metric.Given():
		return "this metric belongs to the kernels precomputed and distances; choose euclidean, cosine or self-tuning"
	}
	return ""
}

// weightOfEdgesAlone is for a graph of given edges, beside which there are no others.
func weightOfEdgesAlone(r Recipe) string {
	if r.Graph.EdgesAlone && r.Graph.EdgeWeight > 0 {
		return "without neighbours there is nothing that the edges are weighed against; leave the weight out"
	}
	return ""
}

// sharesOfFeatures is for a linear kernel, whose models tell what every feature adds.
func sharesOfFeatures(r Recipe) string {
	if r.LabelShares && r.Kernel.Kind().Linear {
		return "with the linear kernel decisions are explained by the features, so no shares of labels are kept; leave the label shares out"
	}
	return ""
}

// sharesWithoutSolver is for a solver that does not compute what a label adds. A supervised machine
// computes it from its coefficients.
func sharesWithoutSolver(r Recipe) string {
	if solver, known := methodOf(r.Solver); known && r.keepsLabelShares() && !solver.exact {
		return fmt.Sprintf("only the solvers %s compute label shares"+leaveOut, strings.Join(exactSolvers(), " and "))
	}
	return ""
}

// exactSolvers returns the solvers that minimise exactly.
func exactSolvers() []string {
	var names []string
	for _, m := range methods() {
		if m.exact {
			names = append(names, string(m.name))
		}
	}
	return names
}

// meanWithoutSolver is for a solver that makes no mean of machines.
func meanWithoutSolver(r Recipe) string {
	if solver, known := methodOf(r.Solver); known && len(r.Members) > 1 && !solver.reduced {
		return fmt.Sprintf("a mean of machines is made by %s", words(solversOf(r.Loss, func(m method) bool { return m.reduced })))
	}
	return ""
}

// besideMembers is for a setting of one machine beside the members of a mean. is reports whether a
// recipe has the setting.
func besideMembers(is func(r Recipe) bool) func(r Recipe) string {
	return func(r Recipe) string {
		if len(r.Members) == 0 || !is(r) {
			return ""
		}
		return "each member has its own; leave the members out to train one machine, else the other"
	}
}
