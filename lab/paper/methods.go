package paper

// Method is a way to train, as a column of the experiments.
type Method string

// The methods of the paper, and ours.
const (
	SVM        Method = "svm"
	RLSC       Method = "rlsc"
	LapRLSC    Method = "laprlsc"
	Dual       Method = "dual"       // the original LapSVM
	Newton     Method = "newton"     // LapSVM in the primal, exactly
	Stability  Method = "stability"  // by PCG, stopped by the stability check
	Validation Method = "validation" // by the validation check
	Mixed      Method = "mixed"      // by both
	Auto       Method = "auto"       // by the check of this program
)

// methods returns all of them, in the order of the tables.
func methods() []Method {
	return []Method{SVM, RLSC, LapRLSC, Dual, Newton, Stability, Validation, Mixed, Auto}
}

// supervised reports whether the method sees the labelled points alone.
func (m Method) supervised() bool { return m == SVM || m == RLSC }

// early reports whether the method is PCG.
func (m Method) early() bool {
	return m == Stability || m == Validation || m == Mixed || m == Auto
}

// Title names the method in tables.
func (m Method) Title() string {
	switch m {
	case SVM:
		return "SVM"
	case RLSC:
		return "RLSC"
	case LapRLSC:
		return "LapRLSC"
	case Dual:
		return "LapSVM, dual"
	case Newton:
		return "LapSVM, Newton"
	case Stability:
		return "LapSVM, PCG, stability check"
	case Validation:
		return "LapSVM, PCG, validation check"
	case Mixed:
		return "LapSVM, PCG, mixed check"
	case Auto:
		return "LapSVM, PCG, --stop auto"
	}
	return string(m)
}
