package files

import (
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
	parquetformat "github.com/parquet-go/parquet-go/format"
)

// parquetColumn is a column of single values or of lists.
type parquetColumn struct {
	valueType // of the values; none for groups of columns
	name      string
	list      bool
	leaf      int                // place among all leaves
	physical  parquetformat.Type // how values are encoded
	reps      int                // most repetition level, 1 for lists
	defs      int                // definition level of a value that is there
	listed    int                // definition level from which on a value, null or not, is one of a list
}

// words reports whether the values are lists of words.
func (c *parquetColumn) words() bool { return c.list && c.value == valueText }

// parquetColumns returns the columns at the top of a file.
func parquetColumns(file *parquet.File) []*parquetColumn {
	var leaves []*parquetformat.SchemaElement
	for k := range file.Metadata().Schema {
		if e := &file.Metadata().Schema[k]; e.Type.Valid {
			leaves = append(leaves, e)
		}
	}
	var all []*parquetColumn
	for _, c := range file.Root().Columns() {
		all = append(all, parquetColumnOf(c, leaves))
	}
	return all
}

// parquetColumnOf describes a column. A list is a repeated leaf, alone, in a group, or as the only
// member of a repeated group in a group. Lists of other values than numbers and words are not read.
func parquetColumnOf(c *parquet.Column, leaves []*parquetformat.SchemaElement) *parquetColumn {
	column := &parquetColumn{name: c.Name(), leaf: -1}
	leaf, repeated := c, c
	if !leaf.Leaf() && !leaf.Repeated() && len(leaf.Columns()) == 1 {
		if repeated = leaf.Columns()[0]; !repeated.Repeated() {
			return column
		}
		if leaf = repeated; !leaf.Leaf() && len(leaf.Columns()) == 1 {
			if leaf = leaf.Columns()[0]; leaf.Repeated() {
				return column
			}
		}
	}
	if !leaf.Leaf() || leaf.Index() >= len(leaves) {
		return column
	}
	e := leaves[leaf.Index()]
	t := parquetType(e)
	column.list = repeated.Repeated()
	if column.list && !t.number() && t.value != valueText {
		return column
	}
	column.valueType, column.leaf, column.physical = t, leaf.Index(), e.Type.V
	column.reps, column.defs, column.listed = leaf.MaxRepetitionLevel(), leaf.MaxDefinitionLevel(), repeated.MaxDefinitionLevel()
	return column
}

// parquetType returns what the values of a leaf are. Files of older writers have a converted type
// in the place of a logical one.
func parquetType(e *parquetformat.SchemaElement) valueType {
	const mostDigits = 128
	physical := e.Type.V
	logical, converted := e.LogicalType.Value, deprecated.ConvertedType(-1)
	if logical == nil && e.ConvertedType.Valid {
		converted = e.ConvertedType.V
	}
	whole := physical == parquetformat.Int32 || physical == parquetformat.Int64
	t := valueType{bytes: parquetBytes(e)}
	as := func(kind valueKind, fits bool) valueType {
		if fits {
			t.value = kind
		}
		return t
	}
	switch logical := logical.(type) {
	case *parquetformat.DecimalType:
		return t.decimal(physical, logical.Scale, mostDigits)
	case *parquetformat.DateType:
		return as(valueDay, physical == parquetformat.Int32)
	case *parquetformat.TimeType:
		t.unit = parquetUnit(logical.Unit)
		return as(valueClock, whole)
	case *parquetformat.TimestampType:
		t.unit = parquetUnit(logical.Unit)
		return as(valueInstant, physical == parquetformat.Int64)
	case *parquetformat.IntType:
		t.unsigned = !logical.IsSigned
		return as(valueWhole, whole)
	case *parquetformat.Float16Type:
		return as(valueFloat, t.bytes == 2)
	case *parquetformat.UUIDType:
		return as(valueUUID, t.bytes == 16)
	case *parquetformat.NullType:
		return as(valueNull, true)
	case *parquetformat.StringType, *parquetformat.EnumType, *parquetformat.JsonType:
		return as(valueText, physical == parquetformat.ByteArray)
	case nil:
	default:
		return t
	}
	switch converted {
	case deprecated.Decimal:
		return t.decimal(physical, e.Scale.V, mostDigits)
	case deprecated.Date:
		return as(valueDay, physical == parquetformat.Int32)
	case deprecated.TimeMillis, deprecated.TimeMicros:
		t.unit = 1 + int(converted-deprecated.TimeMillis)
		return as(valueClock, whole)
	case deprecated.TimestampMillis, deprecated.TimestampMicros:
		t.unit = 1 + int(converted-deprecated.TimestampMillis)
		return as(valueInstant, physical == parquetformat.Int64)
	case deprecated.Uint8, deprecated.Uint16, deprecated.Uint32, deprecated.Uint64:
		t.unsigned = true
		return as(valueWhole, whole)
	case deprecated.Int8, deprecated.Int16, deprecated.Int32, deprecated.Int64:
		return as(valueWhole, whole)
	case deprecated.UTF8, deprecated.Enum, deprecated.Json:
		return as(valueText, physical == parquetformat.ByteArray)
	case -1:
	default:
		return t
	}
	switch physical {
	case parquetformat.Boolean:
		t.value = valueBool
	case parquetformat.Int32, parquetformat.Int64:
		t.value = valueWhole
	case parquetformat.Int96: // a timestamp of older writers
		t.value = valueJulian
	case parquetformat.Float, parquetformat.Double:
		t.value = valueFloat
	case parquetformat.ByteArray:
		t.value = valueText
	}
	return t
}

// decimal makes a type that of decimals, where its values have few enough digits.
func (t valueType) decimal(physical parquetformat.Type, scale int32, most int) valueType {
	t.scale, t.bigEndian = int(scale), physical == parquetformat.ByteArray || physical == parquetformat.FixedLenByteArray
	if (t.bigEndian && t.bytes <= mostDecimal || physical == parquetformat.Int32 || physical == parquetformat.Int64) && -most <= t.scale && t.scale <= most {
		t.value = valueDecimal
	}
	return t
}

// mostDecimal is the number of bytes of a decimal up to which it is read.
const mostDecimal = 64

func parquetUnit(u parquetformat.TimeUnit) int {
	switch u.Value.(type) {
	case *parquetformat.MilliSeconds:
		return 1
	case *parquetformat.MicroSeconds:
		return 2
	}
	return 3
}

// parquetBytes returns how many bytes a value has, 0 where values have lengths of their own. A
// boolean has a byte once it is decoded.
func parquetBytes(e *parquetformat.SchemaElement) int {
	switch e.Type.V {
	case parquetformat.Boolean:
		return 1
	case parquetformat.Int32, parquetformat.Float:
		return 4
	case parquetformat.Int64, parquetformat.Double:
		return 8
	case parquetformat.Int96:
		return 12
	case parquetformat.FixedLenByteArray:
		return max(int(e.TypeLength.V), 0)
	}
	return 0
}
