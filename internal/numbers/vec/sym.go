package vec

// A symmetric matrix stored as the tiles of its upper triangle is multiplied
// tile by tile. A tile T of rows I and columns J off the diagonal stands for
// itself and for its mirror image,
//
//	y_I += T·x_J   and   y_J += Tᵀ·x_I,
//
// which the functions below compute in one pass over T. Tiles are row-major
// with a leading dimension, hold float32 or float64, and fetch ahead best
// when tiles that are used one after the other lie one after the other.

// SymTile adds an off-diagonal rows×cols tile's share to the product of a
// symmetric matrix and one vector:
//
//	yi += T·xj   and   yj += Tᵀ·xi
//
// yi and xi have rows elements, yj and xj cols; neither y may overlap the
// other or an x. All sums are double. Cost: one pass over T at the speed of
// memory, 2·rows·cols multiply-adds. It panics on short slices.
func SymTile[T Float](rows, cols int, tile []T, ld int, yi, yj, xi, xj []float64) {
	check("SymTile", "tile", rows, cols, len(tile), ld)
	if rows == 0 || cols == 0 {
		return
	}
	yi, xi, yj, xj = exact(yi, rows), exact(xi, rows), exact(yj, cols), exact(xj, cols)
	done := 0
	switch t := any(tile).(type) {
	case []float32:
		done = symFast32(rows, cols, t, ld, yi, yj, xi, xj)
	case []float64:
		done = symFast64(rows, cols, t, ld, yi, yj, xi, xj)
	}
	if done < cols {
		goSymTile(rows, cols-done, tile[done:], ld, yi, yj[done:], xi, xj[done:])
	}
}

// MulTile computes y += T·x for a rows×cols tile, as is needed for the full
// tiles on the diagonal. The rest is as for SymTile, at half the arithmetic.
func MulTile[T Float](rows, cols int, tile []T, ld int, y, x []float64) {
	check("MulTile", "tile", rows, cols, len(tile), ld)
	if rows == 0 || cols == 0 {
		return
	}
	y, x = exact(y, rows), exact(x, cols)
	done := 0
	switch t := any(tile).(type) {
	case []float32:
		done = mulFast32(rows, cols, t, ld, y, x)
	case []float64:
		done = mulFast64(rows, cols, t, ld, y, x)
	}
	if done < cols {
		goMulTile(rows, cols-done, tile[done:], ld, y, x[done:])
	}
}

// MulTileTrans computes y += Tᵀ·x for a rows×cols tile, x having rows
// elements and y cols. The rest is as for MulTile.
func MulTileTrans[T Float](rows, cols int, tile []T, ld int, y, x []float64) {
	check("MulTileTrans", "tile", rows, cols, len(tile), ld)
	if rows == 0 || cols == 0 {
		return
	}
	y, x = exact(y, cols), exact(x, rows)
	done := 0
	switch t := any(tile).(type) {
	case []float32:
		done = transFast32(rows, cols, t, ld, y, x)
	case []float64:
		done = transFast64(rows, cols, t, ld, y, x)
	}
	if done == cols {
		return
	}
	y = y[done:]
	for i, v := range x {
		for j, e := range tile[i*ld+done : i*ld+cols] {
			y[j] += float64(e) * v
		}
	}
}

func goSymTile[T Float](rows, cols int, tile []T, ld int, yi, yj, xi, xj []float64) {
	i := 0
	for ; i+2 <= rows; i += 2 {
		t0, t1 := tile[i*ld:i*ld+cols], tile[(i+1)*ld:(i+1)*ld+cols]
		x0, x1 := xi[i], xi[i+1]
		var s0, s1 float64
		for j, y := range yj[:cols] {
			e0, e1, x := float64(t0[j]), float64(t1[j]), xj[j]
			s0 += e0 * x
			s1 += e1 * x
			yj[j] = y + (e0*x0 + e1*x1)
		}
		yi[i] += s0
		yi[i+1] += s1
	}
	for ; i < rows; i++ {
		x0, s := xi[i], 0.0
		for j, e := range tile[i*ld : i*ld+cols] {
			s += float64(e) * xj[j]
			yj[j] += float64(e) * x0
		}
		yi[i] += s
	}
}

func goMulTile[T Float](rows, cols int, tile []T, ld int, y, x []float64) {
	for i := range rows {
		var s0, s1 float64
		t := tile[i*ld : i*ld+cols]
		j := 0
		for ; j+2 <= cols; j += 2 {
			s0 += float64(t[j]) * x[j]
			s1 += float64(t[j+1]) * x[j+1]
		}
		if j < cols {
			s0 += float64(t[j]) * x[j]
		}
		y[i] += s0 + s1
	}
}

// exact returns the first n elements; unlike s[:n] it never reaches beyond
// the length.
func exact[T any](s []T, n int) []T { return s[:n:len(s)] }
