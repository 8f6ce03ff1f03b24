package vec

import "unsafe"

// Several columns are multiplied by the tiles of a symmetric matrix at once.
// They lie in panels of PanelRows rows, in the order that the kernels for their
// number like best: [SetColumn] and [AddRowSums] write it, [Column] reads it.

// PanelRows is the number of rows of a panel, the most that a tile has of rows
// or columns.
const PanelRows = 192

// MaxPanel is the most columns of a panel.
const MaxPanel = 16

// fetches is how many places a kernel fetches of the rows that follow a piece,
// the number of its cache lines over the two kernels of a part.
const fetches = 72

// pieceRows is the number of rows of a tile that the kernels take at once; they
// stay in the first-level cache while several kernels read them.
const pieceRows = 12

// panelParts[n] are the widths of the kernels that together multiply n columns
// or some more. Up to twelve columns lie one after the other, and lanes run
// along the rows of the tile; more are interleaved, and lanes run along them.
var panelParts = [MaxPanel + 1][]int{
	1: {4}, 2: {4}, 3: {4}, 4: {4}, 5: {5}, 6: {8}, 7: {8}, 8: {8},
	9: {5, 4}, 10: {5, 5}, 11: {8, 4}, 12: {8, 4}, 13: {16}, 14: {16}, 15: {16}, 16: {16},
}

// PanelWidth returns the number of columns of a panel that holds n columns,
// 1 ≤ n ≤ MaxPanel; the rest must be zero. n columns cost as much as so many.
func PanelWidth(n int) int {
	width := 0
	for _, w := range panelParts[n] {
		width += w
	}
	return width
}

// RowSumsLength is the length of the row sums of a tile and a panel of width
// columns. Their order is that in which the kernels finish them, see
// [AddRowSums].
func RowSumsLength(width int) int { return PanelRows*width + 3 }

// place returns where row 0 of a column of a panel lies, and how far its rows
// are apart.
func place(width, column int) (first, step int) {
	if width == MaxPanel {
		return column, MaxPanel
	}
	return column * PanelRows, 1
}

// SetColumn writes a column of at most PanelRows values into a panel of width
// columns, rounding to T, with zeros for the rows that are missing.
func SetColumn[T Float](panel []T, width, column int, values []float64) {
	first, step := place(width, column)
	if step > 1 {
		to := panel[first:]
		for r, v := range values {
			to[r*step] = T(v)
		}
		for r := len(values); r < PanelRows; r++ {
			to[r*step] = 0
		}
		return
	}
	to := panel[first : first+PanelRows]
	switch x := any(to[:len(values)]).(type) {
	case []float32:
		Narrow(x, values)
	case []float64:
		copy(x, values)
	}
	clear(to[len(values):])
}

// Column reads the first values of a column of a panel.
func Column(values, panel []float64, width, column int) {
	first, step := place(width, column)
	if step == 1 {
		copy(values, panel[first:])
		return
	}
	for r, from := 0, panel[first:]; r < len(values); r++ {
		values[r] = from[r*step]
	}
}

// SymTilePanel adds an off-diagonal rows×cols tile's share to the product of a
// symmetric matrix and the columns of a panel:
//
//	Yi += T·Xj   and   Yj += Tᵀ·Xi
//
// Yj, Xi and Xj are panels of width columns, a value of [PanelWidth], and Yi is
// row sums of that width. All have their full length; Xi and Xj are zero beyond
// the rows and columns of the tile. Sums over a tile are formed in T, sums of
// tiles in float64: for float32 the error relative to Σ|T||x| is below 2e-5 in
// the worst case and about 1e-7 as a rule. Cost: 2·rows·cols·width
// multiply-adds in T.
func SymTilePanel[T Float](width, rows, cols int, tile []T, ld int, yi, yj []float64, xi, xj []T) {
	checkPanel("SymTilePanel", width, rows, cols, len(tile), ld)
	yi, yj = exact(yi, RowSumsLength(width)), exact(yj, PanelRows*width)
	panel(width, rows, cols, tile, ld, yi, yj, exact(xi, PanelRows*width), exact(xj, PanelRows*width))
}

// MulTilePanel computes Y += T·X; it is to SymTilePanel what MulTile is to
// SymTile. Y is row sums.
func MulTilePanel[T Float](width, rows, cols int, tile []T, ld int, y []float64, x []T) {
	checkPanel("MulTilePanel", width, rows, cols, len(tile), ld)
	panel(width, rows, cols, tile, ld, exact(y, RowSumsLength(width)), nil, nil, exact(x, PanelRows*width))
}

// MulTileTransPanel computes Y += Tᵀ·X for panels of [MaxPanel] columns; it is to
// SymTilePanel what MulTileTrans is to SymTile.
func MulTileTransPanel[T Float](rows, cols int, tile []T, ld int, y []float64, x []T) {
	checkPanel("MulTileTransPanel", MaxPanel, rows, cols, len(tile), ld)
	widePanel(rows, cols, tile, ld, nil, exact(y, PanelRows*MaxPanel), exact(x, PanelRows*MaxPanel), nil)
}

// AddRowSums adds row sums of width columns to a panel.
func AddRowSums(width int, dst, sums []float64) {
	dst, sums = exact(dst, PanelRows*width), exact(sums, RowSumsLength(width))
	if width == MaxPanel {
		Axpy(1, sums[:len(dst)], dst)
		return
	}
	for _, w := range panelParts[width] {
		for r := range PanelRows {
			for c, v := range sums[r*w : (r+1)*w] {
				dst[c*PanelRows+r] += v
			}
		}
		dst, sums = dst[w*PanelRows:], sums[w*PanelRows:]
	}
}

func panel[T Float](width, rows, cols int, tile []T, ld int, yi, yj []float64, xi, xj []T) {
	if width == MaxPanel {
		widePanel(rows, cols, tile, ld, yi, yj, xi, xj)
		return
	}
	var sums []T // of a panel, in T
	var room [12*PanelRows + 16]T
	switch y := any(yj).(type) {
	case []T:
		sums = y
	default:
		if yj != nil {
			sums = aligned(room[:])[:PanelRows*width]
		}
	}
	for r := 0; r < rows; r += pieceRows {
		if m := min(pieceRows, rows-r); m < pieceRows || cols < PanelRows {
			edge(width, r, m, cols, tile[r*ld:], ld, yi, sums, xi, xj)
		} else {
			piece(width, r, tile[r*ld:], ld, yi, sums, xi, xj)
		}
	}
	if _, double := any(sums).([]float64); !double {
		AddWide(yj, any(sums).([]float32))
	}
}

// piece multiplies the piece of a tile that starts at its row r; without yj its
// transpose is left out.
func piece[T Float](width, r int, tile []T, ld int, yi []float64, yj, xi, xj []T) {
	// What follows is fetched evenly by all kernels, a cache line or a part of
	// one at a time.
	by := 64 / len(panelParts[width])
	share := fetches * by * int(unsafe.Sizeof(tile[0])) / 4
	column, ahead := 0, 0
	for _, w := range panelParts[width] {
		at := column * PanelRows
		panelSums(w, tile, ld, yi[at+r*w:], xj[at:], ahead, by)
		ahead += share
		if yj != nil {
			panelTrans(w, tile, ld, yj[at:], xi[at+r:], ahead, by)
			ahead += share
		}
		column += w
	}
}

// edge is piece for m rows of cols columns, padded with zeros.
func edge[T Float](width, r, m, cols int, tile []T, ld int, yi []float64, yj, xi, xj []T) {
	var padded [pieceRows * PanelRows]T
	for i := range m {
		copy(padded[i*PanelRows:i*PanelRows+cols], tile[i*ld:])
	}
	piece(width, r, padded[:], PanelRows, yi, yj, xi, xj)
}

// panelSums adds T·X to y for a piece of a tile, y[i·width + c] += Σ_j T(i,j)·x[c·PanelRows + j].
func panelSums[T Float](width int, tile []T, ld int, y []float64, x []T, ahead, by int) {
	done := false
	switch t := any(tile).(type) {
	case []float32:
		done = panelSums32(width, t, ld, y, any(x).([]float32), ahead, by)
	case []float64:
		done = panelSums64(width, t, ld, y, any(x).([]float64), ahead, by)
	}
	if done {
		return
	}
	for i := range pieceRows {
		row := tile[i*ld : i*ld+PanelRows]
		for c := range width {
			var s0, s1 T
			column := x[c*PanelRows : (c+1)*PanelRows]
			for j := 0; j < PanelRows; j += 2 {
				s0 += row[j] * column[j]
				s1 += row[j+1] * column[j+1]
			}
			y[i*width+c] += float64(s0 + s1)
		}
	}
}

// panelTrans adds Tᵀ·X to y for a piece of a tile, y[c·PanelRows + j] += Σ_i T(i,j)·x[c·PanelRows + i].
func panelTrans[T Float](width int, tile []T, ld int, y, x []T, ahead, by int) {
	done := false
	switch t := any(tile).(type) {
	case []float32:
		done = panelTrans32(width, t, ld, any(y).([]float32), any(x).([]float32), ahead, by)
	case []float64:
		done = panelTrans64(width, t, ld, any(y).([]float64), any(x).([]float64), ahead, by)
	}
	if done {
		return
	}
	for i := 0; i < pieceRows; i += 2 {
		t0, t1 := tile[i*ld:i*ld+PanelRows], tile[(i+1)*ld:(i+1)*ld+PanelRows]
		for c := range width {
			x0, x1 := x[c*PanelRows+i], x[c*PanelRows+i+1]
			for j := range y[c*PanelRows : (c+1)*PanelRows] {
				y[c*PanelRows+j] += t0[j]*x0 + t1[j]*x1
			}
		}
	}
}

// widePanel is panel for sixteen columns, interleaved. Without yi the tile itself is
// left out, without yj its transpose.
func widePanel[T Float](rows, cols int, tile []T, ld int, yi, yj []float64, xi, xj []T) {
	var room [2*MaxPanel*PanelRows + 16]T
	si := inType(aligned(room[:]), yi)
	sj := inType(aligned(room[:])[MaxPanel*PanelRows:], yj)
	if yi == nil && transColumns(rows, cols, tile, ld, sj, xi) {
		rows = 0
	}
	for r := 0; r < rows; r += pieceRows {
		var y, x []T
		if yi != nil {
			y = si[r*MaxPanel : (r+pieceRows)*MaxPanel]
		}
		if yj != nil {
			x = xi[r*MaxPanel : (r+pieceRows)*MaxPanel]
		}
		if m := min(pieceRows, rows-r); m < pieceRows {
			wideEdge(m, cols, tile[r*ld:], ld, y, sj, x, xj)
		} else {
			wide(cols, tile[r*ld:], ld, y, sj, x, xj)
		}
	}
	if _, double := any(si).([]float64); !double {
		AddWide(yi, any(si).([]float32))
		AddWide(yj, any(sj).([]float32))
	}
}

// transColumns computes yj += Tᵀ·xi where there is a kernel for all rows of a tile, and reports whether there is.
func transColumns[T Float](rows, cols int, tile []T, ld int, yj, xi []T) bool {
	const kernel = 6 // columns
	for j := 0; j < cols && rows > 0; j += kernel {
		part, apart := tile[j:], ld
		if rest := cols - j; rest < kernel {
			var padded [kernel * PanelRows]T
			for i := range rows {
				copy(padded[i*kernel:i*kernel+rest], tile[i*ld+j:])
			}
			part, apart = padded[:], kernel
		}
		if !wideTrans(rows, part, apart, yj[j*MaxPanel:], xi) {
			return false
		}
	}
	return true
}

// inType returns where the sums of a panel are formed in T: in y itself or in room, nil
// without y.
func inType[T Float](room []T, y []float64) []T {
	if y == nil {
		return nil
	}
	if same, ok := any(y[:MaxPanel*PanelRows]).([]T); ok {
		return same
	}
	return room[:MaxPanel*PanelRows]
}

// wideEdge is wide for m rows, padded with zeros.
func wideEdge[T Float](m, cols int, tile []T, ld int, yi, yj, xi, xj []T) {
	var padded [pieceRows * PanelRows]T
	for i := range m {
		copy(padded[i*PanelRows:i*PanelRows+cols], tile[i*ld:])
	}
	wide(cols, padded[:], PanelRows, yi, yj, xi, xj)
}

// wide multiplies a piece of a tile by wide panels: yi += T·xj with a yi, and
// yj += Tᵀ·xi with a yj.
func wide[T Float](cols int, tile []T, ld int, yi, yj, xi, xj []T) {
	done := false
	if cols == 0 {
		return
	}
	switch t := any(tile).(type) {
	case []float32:
		done = wide32(cols, t, ld, any(yi).([]float32), any(yj).([]float32), any(xi).([]float32), any(xj).([]float32))
	case []float64:
		done = wide64(cols, t, ld, any(yi).([]float64), any(yj).([]float64), any(xi).([]float64), any(xj).([]float64))
	}
	if done {
		return
	}
	for i := range pieceRows {
		if yi != nil {
			y := yi[i*MaxPanel : (i+1)*MaxPanel]
			for j, e := range tile[i*ld : i*ld+cols] {
				for c, v := range xj[j*MaxPanel : (j+1)*MaxPanel] {
					y[c] += e * v
				}
			}
		}
		if yj == nil {
			continue
		}
		x := xi[i*MaxPanel : (i+1)*MaxPanel]
		for j, e := range tile[i*ld : i*ld+cols] {
			y := yj[j*MaxPanel : (j+1)*MaxPanel]
			for c, v := range x {
				y[c] += e * v
			}
		}
	}
}

// aligned returns s from the next cache line on, where vectors do not straddle
// two lines.
func aligned[T Float](s []T) []T {
	size := unsafe.Sizeof(s[0])
	return s[-uintptr(unsafe.Pointer(&s[0]))%64/size:]
}

func checkPanel(fn string, width, rows, cols, length, ld int) {
	if width < 1 || width > MaxPanel || PanelWidth(width) != width {
		panic("vec: " + fn + ": no such width of a panel")
	}
	if rows > PanelRows || cols > PanelRows {
		panic("vec: " + fn + ": tile larger than a panel")
	}
	check(fn, "tile", rows, cols, length, ld)
}
