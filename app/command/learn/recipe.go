package learn

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/pflag"

	"lapsvm"
	"lapsvm/app/command/cli"
	"lapsvm/app/command/input"
	"lapsvm/internal/machines/train"
	"lapsvm/internal/system/fault"
)

// recipeFlags returns the names of the flags of train that are parts of a recipe.
func recipeFlags() []string {
	var names []string
	for _, s := range train.Settings() {
		if s.Flag != "" {
			names = append(names, s.Flag)
		}
	}
	return names
}

// BesideRecipe refuses flags for parts of a recipe beside a flag, such as --recipe, that
// sets all of it.
func BesideRecipe(flags *pflag.FlagSet, by string) error {
	var set []string
	for _, name := range recipeFlags() {
		if flags.Changed(name) {
			set = append(set, "--"+name)
		}
	}
	if set == nil {
		return nil
	}
	return cli.Usagef("%s already sets what %s would set: leave one or the other out", by, strings.Join(set, ", "))
}

// ReadRecipe reads the recipe that a model was trained by, from its file or from
// JSON such as lapsvm info --json prints. Other keys of the JSON are ignored, and no key is there
// twice. The recipe leaves nothing open.
func ReadRecipe(ctx context.Context, path string) (lapsvm.Recipe, error) {
	text, err := cli.Interruptible(ctx, func() ([]byte, error) { return jsonOf(path) })
	if err != nil {
		return lapsvm.Recipe{}, cli.BadData(err)
	}
	var r lapsvm.Recipe
	if text != nil {
		if err := json.Unmarshal(text, &r); err != nil {
			return r, cli.BadData(fmt.Errorf("%s is not a recipe in JSON: %w", path, err))
		}
		_, err := jsontext.NewDecoder(bytes.NewReader(text)).ReadValue()
		if twice, is := errors.AsType[*jsontext.SyntacticError](err); is && errors.Is(err, jsontext.ErrDuplicateName) {
			return r, cli.BadData(fault.Errorf("%s: the key %q comes twice; keep one", path, twice.JSONPointer.LastToken()))
		}
		r = withoutLeading(r)
	} else {
		m, err := input.LoadModel(ctx, path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return r, err
		case err != nil:
			return r, fmt.Errorf("%w; what lapsvm info --json prints of a model is taken too", err)
		}
		r = m.Recipe()
	}
	switch averaged := UnlistedMembers(r); {
	case averaged > 0:
		return r, cli.BadData(fault.Errorf("%s was written by an older program and does not list the %d machines of its mean: train it again with this lapsvm, without --recipe", path, averaged))
	case r.Open():
		return r, cli.BadData(fault.Errorf("the recipe in %s leaves parameters open: take a model, or what lapsvm info --json prints of one", path))
	}
	err = r.Validate()
	if excluded := (*train.ExclusionError)(nil); errors.As(err, &excluded) {
		err = excluded.Worded(func(s train.Setting) string { return s.Key })
	}
	if err != nil {
		return r, cli.BadData(fmt.Errorf("%s: the recipe is none: %w", path, err))
	}
	return r, nil
}

// leadingResult is the JSON of the leading member of a recipe, and of what points are described by.
type leadingResult struct {
	GammaA          float64 `json:"gamma_a"`
	GammaI          float64 `json:"gamma_i"`
	Neighbours      int     `json:"neighbours,omitempty"`
	LaplacianDegree int     `json:"laplacian_degree,omitempty"`

	Describe []string `json:"describe"` // of all members; empty for none
}

// RecipeJSON is a result with the recipe of its model, of which the leading member stands apart
// too.
func RecipeJSON(r lapsvm.Recipe, result any) cli.MergedJSON {
	m := r.Leading()
	return cli.MergedJSON{r, leadingResult{m.GammaA, m.GammaI, m.Neighbours, m.LaplacianDegree, append([]string{}, r.Describe.Names()...)}, result}
}

// withoutLeading returns a recipe without the values of its leading member, which info and train
// print beside the members. Other values stay: they exclude the members.
func withoutLeading(r lapsvm.Recipe) lapsvm.Recipe {
	if len(r.Members) > 0 {
		leading := r.Leading()
		forget(&r.GammaA, leading.GammaA)
		forget(&r.GammaI, leading.GammaI)
		forget(&r.Graph.Neighbours, leading.Neighbours)
		forget(&r.Graph.Degree, leading.LaplacianDegree)
	}
	return r
}

// forget makes a number 0 that has a value.
func forget[Number comparable](number *Number, value Number) {
	if *number == value {
		*number = *new(Number)
	}
}

// jsonOf returns the text of a file that begins like a JSON object, nil of another.
func jsonOf(path string) ([]byte, error) {
	const most = 1 << 28
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // which is said of a model
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text := bufio.NewReader(f)
	head, _ := text.Peek(64) // an error comes again
	if !bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("{")) {
		return nil, nil
	}
	return io.ReadAll(io.LimitReader(text, most))
}

// UnlistedMembers returns the number of machines in the mean of a model by an older
// program. The recipe of such a model does not list them; 0 for others.
func UnlistedMembers(r lapsvm.Recipe) int {
	if c := r.Choice; len(r.Members) == 0 && c != nil && c.Averaged > 1 && r.Solver == lapsvm.Deformed {
		return c.Averaged
	}
	return 0
}
