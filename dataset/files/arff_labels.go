package files

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"lapsvm/dataset"
	"lapsvm/dataset/internal/quote"
	"lapsvm/dataset/internal/xml"
)

// declared returns the values of an attribute.
func (a *arff) declared(name string) []string {
	k := slices.IndexFunc(a.attributes, func(at arffColumn) bool { return at.name == name })
	if k < 0 {
		return nil
	}
	return a.attributes[k].values
}

// labelsOf returns the label that MULAN's relation names, or the XML beside the file, "" where neither does. Of several it asks for those that are wanted, as
// the last column alone would leave the others among the features.
func (a *arff) labelsOf(header []string) (string, error) {
	var names []string
	from := "the relation (-C)"
	switch width := len(header); {
	case a.labels > 0:
		names = header[:a.labels]
	case a.labels < 0:
		names = header[width+a.labels:]
	default:
		names, from = a.beside(header)
	}
	if len(names) == 0 {
		return "", nil
	}
	if len(names) == 1 {
		return names[0], nil
	}
	one := []any{dataset.Option{Name: "Label", Value: names[0]}, dataset.Option{Name: "Ignore", Value: names[1:]}}
	alone := "%s %s for one of them"
	if len(names) > mostIgnored {
		alone, one = "%s for one of them, and leave out the others with %s", []any{one[0], dataset.Option{Name: "Ignore"}}
	}
	what := []any{len(names), from, quote.Names(names)}
	if slices.ContainsFunc(a.attributes, func(at arffColumn) bool { return at.kind == "numeric" && slices.Contains(names, at.name) }) {
		return "", a.src.Errorf(0, 0, "%d attributes are labels by %s: %s; give %s for several classes in a row where all of them are 0 and 1, or "+alone,
			slices.Concat(what, []any{dataset.Option{Name: "Label", Value: listOfLabels(header, names)}}, one)...)
	}
	return "", a.src.Errorf(0, 0, "%d attributes are labels by %s: %s; give %s for several classes in a row, or "+alone,
		slices.Concat(what, []any{dataset.Option{Name: "Label", Value: listOfLabels(header, names)}}, one)...)
}

// mostIgnored is how many labels an error lists to leave out.
const mostIgnored = 10

// listOfLabels returns columns as a list of them is given: by a range of numbers, by their names, or by their numbers where some name may be taken for
// such.
func listOfLabels(header, names []string) []string {
	first := slices.Index(header, names[0])
	if row := first + len(names); row <= len(header) && slices.Equal(header[first:row], names) {
		return []string{fmt.Sprintf("%d-%d", first+1, row)}
	}
	number := func(name string) bool {
		return strings.Trim(name, "0123456789-") == "" || name != strings.TrimSpace(name)
	}
	if !slices.ContainsFunc(names, number) {
		return names
	}
	var places []string
	for _, name := range names {
		places = append(places, strconv.Itoa(slices.Index(header, name)+1))
	}
	return places
}

// beside returns the labels that MULAN's XML beside the file names, where all are attributes.
func (a *arff) beside(header []string) (names []string, from string) {
	const most = 1 << 20
	if a.src.read == nil {
		return nil, ""
	}
	path := strings.TrimSuffix(a.src.read.Name(), filepath.Ext(a.src.read.Name())) + ".xml"
	text, err := os.Open(path)
	if err != nil {
		return nil, ""
	}
	defer text.Close()
	x := xml.NewScanner(io.LimitReader(text, most), xml.Bounds{Token: most, Depth: 100})
	for {
		kind, err := x.Next()
		if err == io.EOF {
			return names, path
		}
		if err != nil {
			return nil, ""
		}
		if kind == xml.Start && x.Name().Local == "label" {
			name := string(x.Attr("name"))
			if !slices.Contains(header, name) {
				return nil, ""
			}
			names = append(names, name)
		}
	}
}
