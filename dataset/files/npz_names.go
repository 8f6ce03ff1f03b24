package files

import (
	"bufio"
	"fmt"
	"slices"
	"unicode/utf8"

	"lapsvm/dataset"
	"lapsvm/dataset/internal/quote"
)

// namesArray holds the names of the columns in an archive, as scikit-learn calls them.
const namesArray = "feature_names"

// names reads the names of d columns, nil where the archive has none. It fails for another
// number of names, for one that is there twice and for others than Options.Columns asks for.
func (z npz) names(d int, o Options) ([]string, error) {
	if z.files[namesArray] == nil {
		return nil, nil
	}
	in, h, err := z.open(namesArray)
	if err != nil {
		return nil, err
	}
	defer in.close()
	total, err := h.isVector(in)
	if err != nil {
		return nil, err
	}
	if h.numeric {
		return nil, in.Errorf(0, 0, "the names of the columns are numbers; save them as strings, or leave the array out")
	}
	if total != d {
		return nil, in.Errorf(0, 0, "there are %d names for points of %d columns; give one for each, or leave the array out", total, d)
	}
	if err := z.src.takeNames(d); err != nil {
		return nil, err
	}
	names := make([]string, 0, d)
	err = h.eachText(in, total, func(text []byte) error {
		names = append(names, string(text))
		return in.Take(len(text), "names of columns")
	})
	if err == nil {
		err = uniqueNames(&in.Origin, names, 0)
	}
	if err == nil && len(o.Columns) > 0 && !slices.Equal(names, o.Columns) {
		err = in.Errorf(0, 0, "the columns are %s, and %s are asked for; save these in that order", quote.Names(names), quote.Names(o.Columns))
	}
	return names, err
}

// names adds the names of columns.
func (a *npzWriter) names(d *dataset.Dataset) {
	if d.Features == nil {
		return
	}
	longest := 1
	for _, name := range d.Features {
		longest = max(longest, utf8.RuneCountInString(name))
	}
	a.entry(namesArray, fmt.Sprintf("<U%d", longest), fmt.Sprintf("(%d,)", len(d.Features)), func(b *bufio.Writer) {
		for _, name := range d.Features {
			writeUCS4(b, name, longest)
		}
	})
}
