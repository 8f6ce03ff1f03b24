package files

import (
	"bufio"
	"reflect"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/encoding"

	"lapsvm/dataset"
)

// writeParquet writes a file with the labels as nullable strings and, where the
// features have names, differing and at most 1,000 of them, a column of doubles
// for each, else one column vector of lists.
func writeParquet(w *bufio.Writer, d *dataset.Dataset) error {
	width := d.Points.Dim()
	label, named := columnNames(d)
	fields := make(fields, 0, width+1)
	if named {
		for _, name := range d.Features {
			fields = append(fields, field{parquet.Leaf(parquet.DoubleType), name})
		}
	} else {
		fields = append(fields, field{parquet.List(parquet.Leaf(parquet.DoubleType)), vectorKey})
	}
	fields = append(fields, field{parquet.Optional(parquet.Encoded(parquet.String(), &parquet.RLEDictionary)), label})
	const groupValues = 1 << 23
	to := parquet.NewGenericWriter[any](w, parquet.NewSchema("dataset", fields), parquet.Compression(&parquet.Snappy),
		parquet.CreatedBy("lapsvm", "", ""), parquet.MaxRowsPerRowGroup(max(1, int64(groupValues/width))))

	values, row := make([]float64, width), make([]parquet.Value, width+1)
	labelColumn := len(fields) - 1
	for i, y := range d.Y {
		d.Points.CopyRow(values, i)
		for j, v := range values {
			switch {
			case named:
				row[j] = parquet.DoubleValue(v).Level(0, 0, j)
			default:
				row[j] = parquet.DoubleValue(v).Level(min(j, 1), 1, 0)
			}
		}
		if y == dataset.Unlabelled {
			row[width] = parquet.NullValue().Level(0, 0, labelColumn)
		} else {
			row[width] = parquet.ByteArrayValue([]byte(d.Classes[y])).Level(0, 1, labelColumn)
		}
		if _, err := to.WriteRows([]parquet.Row{row}); err != nil {
			return err
		}
	}
	return to.Close()
}

// writeParquetSeries writes a column of nullable strings or of doubles for each.
func writeParquetSeries(w *bufio.Writer, all []dataset.Series) error {
	columns := make(fields, len(all))
	for k, s := range all {
		columns[k] = field{parquet.Leaf(parquet.DoubleType), s.Name}
		if s.Text != nil {
			columns[k].Node = parquet.Optional(parquet.Encoded(parquet.String(), &parquet.RLEDictionary))
		}
	}
	const groupValues = 1 << 23
	to := parquet.NewGenericWriter[any](w, parquet.NewSchema("results", columns), parquet.Compression(&parquet.Snappy),
		parquet.CreatedBy("lapsvm", "", ""), parquet.MaxRowsPerRowGroup(max(1, int64(groupValues/len(all)))))
	row := make(parquet.Row, len(all))
	for i := range all[0].Len() {
		for k, s := range all {
			switch {
			case s.Text == nil:
				row[k] = parquet.DoubleValue(s.Numbers[i]).Level(0, 0, k)
			case s.Text[i] == "":
				row[k] = parquet.NullValue().Level(0, 0, k)
			default:
				row[k] = parquet.ByteArrayValue([]byte(s.Text[i])).Level(0, 1, k)
			}
		}
		if _, err := to.WriteRows([]parquet.Row{row}); err != nil {
			return err
		}
	}
	return to.Close()
}

// field is a column of a file to be written.
type field struct {
	parquet.Node
	name string
}

func (f field) Name() string { return f.name }

// Value is asked for by writers of Go structures only.
func (f field) Value(reflect.Value) reflect.Value { panic("files: no Go structure is written") }

// fields is a group of columns in a given order; that of a parquet.Group is
// alphabetical.
type fields []field

func (f fields) group() parquet.Group {
	g := parquet.Group{}
	for _, c := range f {
		g[c.name] = c.Node
	}
	return g
}

func (f fields) ID() int                     { return 0 }
func (f fields) String() string              { return f.group().String() }
func (f fields) Type() parquet.Type          { return f.group().Type() }
func (f fields) Optional() bool              { return false }
func (f fields) Repeated() bool              { return false }
func (f fields) Required() bool              { return true }
func (f fields) Leaf() bool                  { return false }
func (f fields) Encoding() encoding.Encoding { return nil }
func (f fields) Compression() compress.Codec { return nil }
func (f fields) GoType() reflect.Type        { return f.group().GoType() }
func (f fields) Fields() (all []parquet.Field) {
	for _, c := range f {
		all = append(all, c)
	}
	return all
}
