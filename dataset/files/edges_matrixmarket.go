package files

import (
	"bytes"
	"io"
	"slices"
	"strconv"
	"strings"

	"lapsvm/dataset/internal/quote"
)

// matrixMarket begins a file of Matrix Market.
const matrixMarket = "%%MatrixMarket"

// readMatrixMarket reads a matrix in the coordinate format of Matrix Market. (Boisvert, Pozo and
// Remington, "The Matrix Market exchange formats", NISTIR 5935, 1996.)
func readMatrixMarket(src *source, rows ends) (*network, error) {
	w := &network{origin: &src.Origin, placed: true}
	lines := linesOf(src)
	first, err := lines.next()
	if err == io.EOF {
		return nil, src.noRows()
	}
	if err != nil {
		return nil, err
	}
	head := strings.Fields(strings.ToLower(string(first)))
	refuse := func(what, advice string) (*network, error) {
		return nil, src.Errorf(1, 0, "the matrix is %s, which is not read; %s", what, advice)
	}
	switch {
	case len(head) != 5 || head[0] != "%%matrixmarket" || head[1] != "matrix":
		return nil, src.Errorf(1, 0, "begins with %s, but a matrix of edges begins with %%%%MatrixMarket matrix coordinate, then real, integer or pattern, then general or symmetric", quote.Field(bytes.TrimSpace(first)))
	case head[2] == "array":
		return refuse("written out (array)", "write it sparse, as SciPy does of scipy.sparse.coo_array(a), or as an array in an npy file")
	case head[2] != "coordinate":
		return refuse(strconv.Quote(head[2]), "write its coordinates")
	case head[3] == "complex":
		return refuse("of complex numbers", "the weight of an edge is a real number")
	case !slices.Contains([]string{"real", "double", "integer", "unsigned-integer", "pattern"}, head[3]):
		return refuse("of "+strconv.Quote(head[3]), "write real, integer or pattern")
	case head[4] == "hermitian", head[4] == "skew-symmetric":
		return refuse(head[4], "an edge has one weight in both directions: write it general or symmetric")
	case head[4] != "general" && head[4] != "symmetric":
		return refuse(strconv.Quote(head[4]), "write it general or symmetric")
	}
	pattern, sized := head[3] == "pattern", false
	left := 0
	for {
		line, err := lines.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		fields := strings.Fields(string(line))
		if len(fields) == 0 || fields[0][0] == '%' {
			continue
		}
		var place [3]int
		numbers := 2
		if !sized {
			numbers = 3
		}
		if len(fields) < numbers || len(fields) != 3 && !pattern || pattern && len(fields) != numbers {
			return nil, src.Errorf(lines.n, 0, "there are %d fields in %s: the size of the matrix is three numbers, and an entry its row, its column and, unless the matrix is a pattern, its value", len(fields), quote.Field(bytes.TrimSpace(line)))
		}
		for k := range numbers {
			if place[k], err = strconv.Atoi(fields[k]); err != nil || place[k] < 0 {
				return nil, src.Errorf(lines.n, 0, "%s is no whole number from 0 on", quote.Field([]byte(fields[k])))
			}
		}
		if !sized {
			if err := rows.sized(&src.Origin, lines.n, place[0], place[1]); err != nil {
				return nil, err
			}
			sized, left = true, place[2]
			continue
		}
		i, j, weight := place[0], place[1], 1.0
		if i < 1 || i > rows.from.Len || j < 1 || j > rows.to.Len {
			return nil, src.Errorf(lines.n, 0, "there is no edge from row %d to row %d: the matrix is %d×%d", i, j, rows.from.Len, rows.to.Len)
		}
		if !pattern {
			if weight, err = weightOf(fields[2]); err != nil {
				return nil, src.Errorf(lines.n, 0, "%s", err)
			}
		}
		if err := w.link(int32(i-1), int32(rows.other(j-1)), weight); err != nil {
			return nil, err
		}
		left--
	}
	if left != 0 || !sized {
		return nil, src.Damagedf("the matrix has %d entries, but its size says %d; the file may be cut off", len(w.links), len(w.links)+left)
	}
	return w, nil
}
