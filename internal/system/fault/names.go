package fault

import "strings"

// A Name is what a caller can act on. errors.Is finds it in an error, and errors.As which one it is.
type Name string

// The names. Package lapsvm says when each comes.
const (
	Memory    Name = "memory"
	NoLabels  Name = "no_labels"
	OneClass  Name = "one_class"
	FewLabels Name = "few_labels"
	Columns   Name = "columns"
	Value     Name = "value"
	Rounding  Name = "rounding"
	Damaged   Name = "damaged"
	Format    Name = "format"
	Version   Name = "version"
	Lacks     Name = "lacks"
	Excluded  Name = "excluded"
	Missing   Name = "missing"   // of a file that is not there; in Go fs.ErrNotExist
	Data      Name = "data"      // of all that is wrong with data, and has no name of its own
	Parameter Name = "parameter" // of a parameter, likewise
)

// Error is the name in words.
func (n Name) Error() string { return strings.ReplaceAll(string(n), "_", " ") }

// Errorf is the package's Errorf with a name.
func (n Name) Errorf(format string, args ...any) error { return &fault{n.Messagef(format, args...)} }
