//go:build amd64 && !purego

package vec

// The functions here report whether they did the work: not on the Go path.

func panelSums32(width int, tile []float32, ld int, y []float64, x []float32, ahead, by int) bool {
	switch p := path(); {
	case p == pureGo:
		return false
	case p == avx512 && width == 4:
		panelSums4F32AVX512(&tile[0], ld, &y[0], &x[0], ahead, by)
	case p == avx512 && width == 5:
		panelSums5F32AVX512(&tile[0], ld, &y[0], &x[0], ahead, by)
	case p == avx512 && width == 8:
		panelSums8F32AVX512(&tile[0], ld, &y[0], &x[0], ahead, by)
	case p == avx2 && width == 4:
		panelSums4F32AVX2(&tile[0], ld, &y[0], &x[0], ahead, by)
	case p == avx2 && width == 5:
		panelSums5F32AVX2(&tile[0], ld, &y[0], &x[0], ahead, by)
	case p == avx2 && width == 8:
		panelSums8F32AVX2(&tile[0], ld, &y[0], &x[0], ahead, by)
	}
	return true
}

func panelTrans32(width int, tile []float32, ld int, y, x []float32, ahead, by int) bool {
	switch p := path(); {
	case p == pureGo:
		return false
	case p == avx512 && width == 4:
		panelTrans4F32AVX512(&tile[0], ld, &y[0], &x[0], ahead, by)
	case p == avx512 && width == 5:
		panelTrans5F32AVX512(&tile[0], ld, &y[0], &x[0], ahead, by)
	case p == avx512 && width == 8:
		panelTrans8F32AVX512(&tile[0], ld, &y[0], &x[0], ahead, by)
	case p == avx2 && width == 4:
		panelTrans4F32AVX2(&tile[0], ld, &y[0], &x[0], ahead, by)
	case p == avx2 && width == 5:
		panelTrans5F32AVX2(&tile[0], ld, &y[0], &x[0], ahead, by)
	case p == avx2 && width == 8:
		panelTrans8F32AVX2(&tile[0], ld, &y[0], &x[0], ahead, by)
	}
	return true
}

func panelSums64(width int, tile []float64, ld int, y []float64, x []float64, ahead, by int) bool {
	switch p := path(); {
	case p == pureGo:
		return false
	case p == avx512 && width == 4:
		panelSums4F64AVX512(&tile[0], ld, &y[0], &x[0], ahead, by)
	case p == avx512 && width == 5:
		panelSums5F64AVX512(&tile[0], ld, &y[0], &x[0], ahead, by)
	case p == avx512 && width == 8:
		panelSums8F64AVX512(&tile[0], ld, &y[0], &x[0], ahead, by)
	case p == avx2 && width == 4:
		panelSums4F64AVX2(&tile[0], ld, &y[0], &x[0], ahead, by)
	case p == avx2 && width == 5:
		panelSums5F64AVX2(&tile[0], ld, &y[0], &x[0], ahead, by)
	case p == avx2 && width == 8:
		panelSums8F64AVX2(&tile[0], ld, &y[0], &x[0], ahead, by)
	}
	return true
}

func panelTrans64(width int, tile []float64, ld int, y, x []float64, ahead, by int) bool {
	switch p := path(); {
	case p == pureGo:
		return false
	case p == avx512 && width == 4:
		panelTrans4F64AVX512(&tile[0], ld, &y[0], &x[0], ahead, by)
	case p == avx512 && width == 5:
		panelTrans5F64AVX512(&tile[0], ld, &y[0], &x[0], ahead, by)
	case p == avx512 && width == 8:
		panelTrans8F64AVX512(&tile[0], ld, &y[0], &x[0], ahead, by)
	case p == avx2 && width == 4:
		panelTrans4F64AVX2(&tile[0], ld, &y[0], &x[0], ahead, by)
	case p == avx2 && width == 5:
		panelTrans5F64AVX2(&tile[0], ld, &y[0], &x[0], ahead, by)
	case p == avx2 && width == 8:
		panelTrans8F64AVX2(&tile[0], ld, &y[0], &x[0], ahead, by)
	}
	return true
}

func wide32(cols int, tile []float32, ld int, yi, yj, xi, xj []float32) bool {
	switch p := path(); {
	case p == pureGo:
		return false
	case p == avx512 && yi == nil:
		transMulti16F32AVX512(cols, &tile[0], ld, &yj[0], &xi[0], MaxPanel)
	case p == avx512 && yj != nil:
		symMulti16F32AVX512(cols, &tile[0], ld, &yi[0], &yj[0], &xi[0], &xj[0], MaxPanel)
	case p == avx512:
		mulMulti16F32AVX512(cols, &tile[0], ld, &yi[0], nil, nil, &xj[0], MaxPanel)
	default:
		for i := 0; i < pieceRows; i += 6 {
			if yj == nil {
				mulMulti16F32AVX2(cols, &tile[i*ld], ld, &yi[i*MaxPanel], nil, nil, &xj[0], MaxPanel)
			} else {
				for c := 0; c < MaxPanel; c += 8 {
					symMulti8F32AVX2(cols, &tile[i*ld], ld, &yi[i*MaxPanel+c], &yj[c], &xi[i*MaxPanel+c], &xj[c], MaxPanel)
				}
			}
		}
	}
	return true
}

func wide64(cols int, tile []float64, ld int, yi, yj, xi, xj []float64) bool {
	switch p := path(); {
	case p == pureGo:
		return false
	case p == avx512:
		for i := 0; i < pieceRows; i += 6 {
			if yi == nil {
				transMulti16F64AVX512(cols, &tile[i*ld], ld, &yj[0], &xi[i*MaxPanel], MaxPanel)
			} else if yj != nil {
				symMulti16F64AVX512(cols, &tile[i*ld], ld, &yi[i*MaxPanel], &yj[0], &xi[i*MaxPanel], &xj[0], MaxPanel)
			} else {
				mulMulti16F64AVX512(cols, &tile[i*ld], ld, &yi[i*MaxPanel], nil, nil, &xj[0], MaxPanel)
			}
		}
	default:
		for i := 0; i < pieceRows; i += 6 {
			for c := 0; c < MaxPanel; c += 8 {
				if yj == nil {
					mulMulti8F64AVX2(cols, &tile[i*ld], ld, &yi[i*MaxPanel+c], nil, nil, &xj[c], MaxPanel)
				} else {
					symMulti4F64AVX2(cols, &tile[i*ld], ld, &yi[i*MaxPanel+c], &yj[c], &xi[i*MaxPanel+c], &xj[c], MaxPanel)
					symMulti4F64AVX2(cols, &tile[i*ld], ld, &yi[i*MaxPanel+c+4], &yj[c+4], &xi[i*MaxPanel+c+4], &xj[c+4], MaxPanel)
				}
			}
		}
	}
	return true
}

// wideTrans computes y += Tᵀ·x of six columns of a tile and all of its rows.
func wideTrans[T Float](rows int, tile []T, ld int, y, x []T) bool {
	if path() != avx2 {
		return false
	}
	switch t := any(tile).(type) {
	case []float32:
		transRows16F32AVX2(rows, &t[0], ld, &any(y).([]float32)[0], &any(x).([]float32)[0], MaxPanel)
	case []float64:
		for c := 0; c < MaxPanel; c += 8 {
			transRows8F64AVX2(rows, &t[0], ld, &any(y).([]float64)[c], &any(x).([]float64)[c], MaxPanel)
		}
	}
	return true
}
