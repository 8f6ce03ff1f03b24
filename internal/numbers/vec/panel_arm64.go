//go:build arm64 && !purego

package vec

// The functions here report whether they did the work: not on the Go path.

func panelSums32(width int, tile []float32, ld int, y []float64, x []float32, ahead, by int) bool {
	switch {
	case path() == pureGo:
		return false
	case width == 4:
		panelSums4F32NEON(&tile[0], ld, &y[0], &x[0], ahead, by)
	case width == 5:
		panelSums5F32NEON(&tile[0], ld, &y[0], &x[0], ahead, by)
	case width == 8:
		panelSums8F32NEON(&tile[0], ld, &y[0], &x[0], ahead, by)
	}
	return true
}

func panelTrans32(width int, tile []float32, ld int, y, x []float32, ahead, by int) bool {
	switch {
	case path() == pureGo:
		return false
	case width == 4:
		panelTrans4F32NEON(&tile[0], ld, &y[0], &x[0], ahead, by)
	case width == 5:
		panelTrans5F32NEON(&tile[0], ld, &y[0], &x[0], ahead, by)
	case width == 8:
		panelTrans8F32NEON(&tile[0], ld, &y[0], &x[0], ahead, by)
	}
	return true
}

func panelSums64(width int, tile []float64, ld int, y []float64, x []float64, ahead, by int) bool {
	switch {
	case path() == pureGo:
		return false
	case width == 4:
		panelSums4F64NEON(&tile[0], ld, &y[0], &x[0], ahead, by)
	case width == 5:
		panelSums5F64NEON(&tile[0], ld, &y[0], &x[0], ahead, by)
	case width == 8:
		panelSums8F64NEON(&tile[0], ld, &y[0], &x[0], ahead, by)
	}
	return true
}

func panelTrans64(width int, tile []float64, ld int, y, x []float64, ahead, by int) bool {
	switch {
	case path() == pureGo:
		return false
	case width == 4:
		panelTrans4F64NEON(&tile[0], ld, &y[0], &x[0], ahead, by)
	case width == 5:
		panelTrans5F64NEON(&tile[0], ld, &y[0], &x[0], ahead, by)
	case width == 8:
		panelTrans8F64NEON(&tile[0], ld, &y[0], &x[0], ahead, by)
	}
	return true
}

// Wide panels are multiplied by as many rows and columns at once as registers hold.

func wide32(cols int, tile []float32, ld int, yi, yj, xi, xj []float32) bool {
	switch {
	case path() == pureGo:
		return false
	case yi == nil:
		for i := 0; i < pieceRows; i += 6 {
			for c := 0; c < MaxPanel; c += 8 {
				transMulti8F32NEON(cols, &tile[i*ld], ld, nil, &yj[c], &xi[i*MaxPanel+c], nil, MaxPanel)
			}
		}
	case yj == nil:
		for i := 0; i < pieceRows; i += 6 {
			mulMulti16F32NEON(cols, &tile[i*ld], ld, &yi[i*MaxPanel], nil, nil, &xj[0], MaxPanel)
		}
	default:
		for i := 0; i < pieceRows; i += 4 {
			for c := 0; c < MaxPanel; c += 8 {
				symMulti8F32NEON(cols, &tile[i*ld], ld, &yi[i*MaxPanel+c], &yj[c], &xi[i*MaxPanel+c], &xj[c], MaxPanel)
			}
		}
	}
	return true
}

func wide64(cols int, tile []float64, ld int, yi, yj, xi, xj []float64) bool {
	switch {
	case path() == pureGo:
		return false
	case yi == nil:
		for i := 0; i < pieceRows; i += 6 {
			for c := 0; c < MaxPanel; c += 4 {
				transMulti4F64NEON(cols, &tile[i*ld], ld, nil, &yj[c], &xi[i*MaxPanel+c], nil, MaxPanel)
			}
		}
	case yj == nil:
		for i := 0; i < pieceRows; i += 6 {
			for c := 0; c < MaxPanel; c += 8 {
				mulMulti8F64NEON(cols, &tile[i*ld], ld, &yi[i*MaxPanel+c], nil, nil, &xj[c], MaxPanel)
			}
		}
	default:
		for i := 0; i < pieceRows; i += 4 {
			for c := 0; c < MaxPanel; c += 4 {
				symMulti4F64NEON(cols, &tile[i*ld], ld, &yi[i*MaxPanel+c], &yj[c], &xi[i*MaxPanel+c], &xj[c], MaxPanel)
			}
		}
	}
	return true
}

func wideTrans[T Float](rows int, tile []T, ld int, y, x []T) bool { return false }
