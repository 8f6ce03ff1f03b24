package dataset

// TableOptions say how the columns of a table become a [Dataset]. With the zero
// value the labels are in the column "label", else in the last one, and all
// others are features.
type TableOptions struct {
	// Label is the label column, by name or 1-based number; a name goes before one that
	// differs in case, and that before a number. "" is the column called "label". Where
	// there is none and no Encoding, the first rows tell:
	//
	//   - the column called label, labels, class, target, y (unless there is an x),
	//     species, outcome, survived or category, in this order and in any case;
	//   - else the only column at least half of which is empty, while no more than a
	//     tenth of any other is, and whose values are like labels;
	//   - else the last.
	//
	// Two columns that could be meant are an error that lists what could: a full column
	// with a name beside a mostly empty one. So is a column taken thus that has about as
	// many values as rows, or more than 20 numbers that do not count the classes. With
	// an Encoding it is the last. Where columns have no order ([Objects]), names count alone.
	Label string

	// MayLackLabels says that the labels may have no column yet. Then the last column is
	// taken for theirs only where it has more gaps than any other, and so is any that is
	// the only one without a value; a table with neither has no labels.
	MayLackLabels bool

	// Unlabelled are further values that mean "no label", beside the empty field and
	// the words of [MeansNoLabel]. They match as text and, where both are numbers, as
	// numbers.
	Unlabelled []string

	// LabelValues and FoldCase are Values and FoldCase of [LabelRules].
	LabelValues []string
	FoldCase    bool

	// Features is the number of features d; 0 leaves it to the table. A table with
	// exactly d columns, none of them called "label" or Label, has no label column. With
	// an Encoding and without Columns features are told by their order, so that rows
	// without one ([Objects]) are refused.
	Features int

	// Columns are the names of the wanted feature columns, in order. The other
	// columns of a table with a header are ignored, and its label column is
	// found by name only (Label or "label") and may be absent.
	Columns []string

	// Encoding is that of another table: this one gets the same features, its
	// other columns are ignored, and of Features and Columns no use is made. nil
	// learns one from this table, from all rows and without regard to labels,
	// where it needs it: where a field is missing or no number, or one of the
	// next options is given. An encoding without columns takes numbers only and
	// makes every other field an error.
	Encoding *Encoding

	// Text, Category, ID and Ignore name columns of a table whose encoding is
	// learnt, by name or 1-based number (where columns have no order, by name):
	// texts, categories, names of rows, and what is of no use. A category that is asked
	// for has at most 1,000 values, each as it is written. What Columns leaves out stays out. A column called text that holds words
	// is text. Of every other one the values that are not missing decide:
	//
	//   - of ten rows or more nearly each, more than nine in ten, has a word of its own without
	//     blanks that is no date: the column names the rows (ID). So it does if each has another
	//     value and it is called id, uuid, guid or with such an ending (customer_id, customerId)
	//     and holds whole numbers or words, or is called index, row, nr, no, # or nothing and
	//     counts. Its name is in a [Note];
	//   - all numbers, booleans (both of them) or dates: that kind (see Kind).
	//     Where half of them or more are numbers, also with a decimal comma or
	//     not finite, or dates, but not all, it is an error that names one, unless they
	//     are a category;
	//   - at most 50 different values, and at most half as many as rows: a
	//     category, in which numbers count by value (1.0 is 1); also where half of them or
	//     more are numbers and the others words, if there are at most nine;
	//   - half of the values have three words or more: text;
	//   - else it is an error that asks for one of these options.
	//
	// A column that is constant or without values is dropped. The vocabulary of
	// a text column are the words, runs of at least two letters, digits and
	// marks in lower case, that are in at least 2 rows and at most 80 % of
	// them; of more than 50,000 those in the most rows. A row has the value
	// (1+ln tf)·idf of a word that it holds tf times, divided by the length of
	// that vector. Learning takes about twice the memory of the parsed values.
	//
	// The kinds go by the text of a field alone.
	Text, Category, ID, Ignore []string

	// AllFeatures says that no column is to be taken for names of rows unless ID says so;
	// nor is any where Columns is given.
	AllFeatures bool

	// Keep keeps the text of every column in Dataset.Kept.
	Keep bool
}

func (o *TableOptions) rules() LabelRules {
	return LabelRules{Unlabelled: o.Unlabelled, Values: o.LabelValues, FoldCase: o.FoldCase}
}
