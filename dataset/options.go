package dataset

// TableOptions say how the columns of a table become a [Dataset]. With the zero
// value the labels are in the column "label", else in the last one, and all
// others are features.
type TableOptions struct {
	// Label is the label column, by name or 1-based number; a name goes before one that
	// differs in case, and that before a number. "" is the column called "label". Where
	// there is none and no Encoding, the first rows tell:
	//
	//   - the column called label, labels, class, target, targets, y (unless there is an x),
	//     species, outcome, survived or category, in this order and in any case;
	//   - else the only column at least half of which is empty, while no more than a
	//     tenth of any other is, and whose values are like labels;
	//   - else the last.
	//
	// A full column with one of these names beside a mostly empty column is ambiguous, and an
	// error that lists both. It is also an error where the column found has about as many
	// different values as rows, or more than 20 different numbers that are not class numbers.
	// With an Encoding the label column is the last. Where columns have no order ([Objects])
	// only names count.
	Label string

	// MayLackLabels says that the table may have no label column. Then the only column without
	// any value is the label column, else the last column if it has more gaps than any other.
	// Else the table has no labels.
	MayLackLabels bool

	// Unlabelled are further values that mean "no label", beside the empty field and
	// the words of [MeansNoLabel]. They match as text and, where both are numbers, as
	// numbers.
	Unlabelled []string

	// LabelValues, FoldCase, Numbers and Several are Values, FoldCase, Numbers and Several of [LabelRules]. With
	// Numbers any column of numbers may hold the labels.
	LabelValues       []string
	FoldCase, Numbers bool
	Several           string

	// Features is the number of features d; 0 takes it from the table. A table with exactly d
	// columns, none of them called "label" or Label, has no label column. With Features and an
	// Encoding without columns the features go by their order, so that rows without an order
	// ([Objects]) are an error.
	Features int

	// Columns are the names of the wanted feature columns, in order. The other
	// columns of a table with a header are ignored, and its label column is
	// found by name only (Label or "label") and may be absent.
	Columns []string

	// Encoding is the encoding of another table. This table gets the same features; its other
	// columns, and the options Features and Columns, are ignored. With nil an encoding is learnt
	// from all rows of this table, without its labels, if the table needs one: a field is
	// missing or no number, or one of the next options is given. With an encoding without
	// columns every field must be a number.
	Encoding *Encoding

	// Coordinates gives two columns each a kind when an encoding is learnt: a latitude and its
	// longitude in degrees, then the next latitude, likewise. They become places on a sphere, see
	// [Latitude]. Beyond −90 to 90 or −180 to 360 degrees a value is an error.
	Coordinates []string

	// Vector, Text, Category, ID and Ignore give columns a kind when an encoding is learnt: lists of
	// numbers, texts, categories, names of rows, and columns to leave out. They name columns by name or 1-based
	// number, or by name only where columns have no order. A category given here has at most
	// 1,000 values, each as it is written. Columns that the option Columns leaves out stay out. A
	// column called text that holds words is text. For every other column the values that are
	// not missing decide, by the first rule that applies:
	//
	//   - The first value is a list of numbers: vectors, of which each has as many numbers.
	//   - More than nine in ten of ten rows or more have a word of their own, without blanks,
	//     that is no date: the column names the rows (ID). A column with a different value in
	//     each row also names the rows by its name. It holds whole numbers or words and is called
	//     id, uuid, guid or ends so (customer_id, customerId), or it counts up and is called
	//     index, row, nr, no, # or nothing. A [Note] has the name of the column.
	//   - All values are numbers, dates or booleans, with both booleans present: that kind. Where
	//     at least half, but not all, are numbers or dates the column is left out,
	//     unless it is a category. Numbers with a decimal comma and numbers that are not
	//     finite are an error that shows one.
	//   - There are at most 50 different values, and at most half as many as rows: a category, in
	//     which numbers count by value (1.0 is 1). Where half of the values or more are numbers
	//     and the others words, a category has at most nine different values.
	//   - Half of the values have three words or more: text.
	//   - Else the column is left out.
	//
	// A doubtful [Note] has what is left out by these rules, and the options that use it. It is an error where no other column gives
	// a feature and where Columns names the features. So is a word in the first line that does not fit, as this line may be a header.
	//
	// A column that is constant or without values is dropped. The words of a text are runs of at
	// least two letters, digits and marks, in lower case. The vocabulary of a text column is the
	// words that are in at least 2 rows and at most 80 % of the rows, and of more than 50,000 such
	// words those in the most rows. The feature of a word that a row has tf times is
	// (1+ln tf)·idf, divided by the length of the row's vector. Learning takes about twice the
	// memory of the parsed values.
	//
	// The kinds depend on the text of the fields alone, not on the format of the file.
	Vector, Text, Category, ID, Ignore []string

	// FurtherLabels are columns of labels beside that of Label, by name or 1-based number. They give no features. With
	// Keep their text is in Dataset.Kept.
	FurtherLabels []string

	// Embedder, unless nil, makes vectors of texts when an encoding is learnt: of the columns of Text, and of one
	// called text. They stand in a column of their own, NAME embedded, as lists of numbers in the table would, and the encoding
	// says what made them. A table with such an encoding needs the same Embedder, or these columns.
	Embedder Embedder

	// AllFeatures has only the columns of ID taken for names of rows. So does the option Columns.
	AllFeatures bool

	// Keep keeps the text of every column in Dataset.Kept.
	Keep bool

	// MayLackFeatures says that the table may have no feature, as where edges alone are known of its
	// rows. Then the Dataset is Featureless.
	MayLackFeatures bool

	// TextAlone keeps the text of every column, and takes none for features or labels. The points
	// of the Dataset have no values.
	TextAlone bool
}

func (o *TableOptions) rules() LabelRules {
	return LabelRules{Unlabelled: o.Unlabelled, Values: o.LabelValues, FoldCase: o.FoldCase, Numbers: o.Numbers, Several: o.Several}
}
