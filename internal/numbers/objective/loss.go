package objective

import "math"

// Loss names the penalty V of a labelled point with target y and output f. The empty Loss is the
// first of [Losses].
//
// A loss is a convex function of the shortfall e in quadratic pieces. A loss of margins is flat
// towards e = −∞. Its targets are −1 and +1, and e = 1 − y·f. Any other loss is one of residuals, and
// even. Its targets are any numbers, and e = y − f. Solvers read the pieces and know no loss by its
// name. To add a loss is a file with its name and its pieces, and a row of losses.
type Loss string

// losses is the table of losses, the default first.
var losses = [...]struct {
	name   Loss
	about  string // the machine that has it, or what it is for, in help texts
	pieces Pieces
}{
	{SquaredHinge, "LapSVM", squaredHinge},
	{Squared, "LapRLSC", squared},
	{Hinge, "the original LapSVM", hinge},
	{HuberisedHinge, "for wrong labels", huberisedHinge},
	{Huber, "numbers, some far off", huber},
	{SquaredInsensitive, "numbers, small residuals free", squaredInsensitive},
}

// Losses returns the names of all losses, the default first.
func Losses() []Loss {
	var names []Loss
	for _, row := range losses {
		names = append(names, row.name)
	}
	return names
}

// Valid reports whether there is such a loss.
func (l Loss) Valid() bool { return l.Pieces() != nil }

// About returns the machine that has the loss, or what the loss is for, in words for help texts.
func (l Loss) About() string {
	for _, row := range losses {
		if row.name == l {
			return row.about
		}
	}
	return ""
}

// Pieces returns the pieces of the loss, which are not to be changed; nil for an unknown loss.
func (l Loss) Pieces() Pieces {
	if l == "" {
		return losses[0].pieces
	}
	for i := range losses {
		if losses[i].name == l {
			return losses[i].pieces
		}
	}
	return nil
}

// Smooth reports whether the derivative of the loss is continuous. Gradients and exact line
// searches then lead to the minimum.
func (l Loss) Smooth() bool {
	pieces := l.Pieces()
	for i := 1; i < len(pieces); i++ {
		before, after := pieces[i-1], pieces[i]
		if 2*before.Square*after.From+before.Linear != 2*after.Square*after.From+after.Linear {
			return false
		}
	}
	return pieces != nil
}

// OfResiduals reports whether the loss is one of residuals, whose targets are any numbers.
func (l Loss) OfResiduals() bool {
	pieces := l.Pieces()
	return pieces != nil && pieces.ofResiduals()
}

// Ramp returns s of a loss s·max(0, e), and 0 for every other loss. The variables of the dual
// problem of a ramp lie between 0 and ½c·s.
func (l Loss) Ramp() float64 {
	pieces := l.Pieces()
	if len(pieces) != 2 || !pieces[0].Flat() || pieces[1].From != 0 || pieces[1].Square != 0 || pieces[1].Constant != 0 {
		return 0
	}
	return pieces[1].Linear
}

// Piece is a quadratic, V(e) = Square·e² + Linear·e + Constant, which holds for shortfalls above
// From, up to From of the next piece.
type Piece struct {
	From                     float64
	Square, Linear, Constant float64
}

// everywhere is From of the first piece.
var everywhere = math.Inf(-1)

// Flat reports whether V is constant: a point there is no error vector.
func (q *Piece) Flat() bool { return q.Square == 0 && q.Linear == 0 }

// Cost returns c·V(e).
func (q *Piece) Cost(c, e float64) float64 { return c*e*(q.Square*e+q.Linear) + c*q.Constant }

// Pieces are the pieces of a loss by From, the first from −∞.
type Pieces []Piece

// ofResiduals reports whether the pieces are those of a loss of residuals.
func (ps Pieces) ofResiduals() bool { return !ps[0].Flat() }

// Rise returns s = −de/df for the target y: y of margins, and 1 of residuals.
func (ps Pieces) Rise(y float64) float64 {
	if ps.ofResiduals() {
		return 1
	}
	return y
}

// Shortfall returns e = s(y − f), which is 1 − y·f of margins, as y² = 1, and y − f of residuals.
func (ps Pieces) Shortfall(y, f float64) float64 { return ps.Rise(y) * (y - f) }

// Pull returns Square·y + ½s·Linear of a piece. With it the derivative of ½V in f is Square·f − Pull.
func (ps Pieces) Pull(q *Piece, y float64) float64 { return q.Square*y + q.Linear/2*ps.Rise(y) }

// Slope returns the derivative of ½V in f on a piece, for the target y.
func (ps Pieces) Slope(q *Piece, y, f float64) float64 { return q.Square*f - ps.Pull(q, y) }

// At returns the index of the piece that holds for the shortfall e. Where two meet it is the
// first, and for NaN the first of all.
func (ps Pieces) At(e float64) int {
	i := len(ps) - 1
	for i > 0 && !(e > ps[i].From) {
		i--
	}
	return i
}

// PieceAt returns the piece for the output f of a point with the target y; nil where the label is
// left out.
func (ps Pieces) PieceAt(y, f float64) *Piece {
	if IsLeftOut(y) {
		return nil
	}
	return &ps[ps.At(ps.Shortfall(y, f))]
}

// Begin returns the index of the piece on which Newton's method begins for the target y. It is that of
// f = 0, or where this is straight the next towards e = 0: points without curvature decide on no bias.
func (ps Pieces) Begin(y float64) int {
	e := ps.Shortfall(y, 0)
	i := ps.At(e)
	for ps[i].Square == 0 && ps[i].Linear != 0 && e != 0 {
		if e > 0 {
			i--
		} else {
			i++
		}
	}
	return i
}

// LeftOut returns the target that leaves a label out of a column, which is NaN.
func LeftOut() float64 { return math.NaN() }

// IsLeftOut reports whether a target leaves its label out.
func IsLeftOut(y float64) bool { return math.IsNaN(y) }
