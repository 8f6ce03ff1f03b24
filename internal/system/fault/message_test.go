package fault

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// What is wrong and what to do come apart, also around and within other errors, with the name and with options in
// other words.
func TestApart(t *testing.T) {
	flag := func(o Option) string { return "--" + strings.ToLower(o.Name) }
	inner := OneClass.Errorf("only the class %q is labelled: label another, or give %s", "a: take b", Option{In: "Recipe", Name: "OneClass", Value: true})
	read := errors.New("cut off")
	for _, c := range []struct {
		err  error
		want Parts
	}{
		{inner, Parts{Code: OneClass, Fault: `only the class "a: take b" is labelled`, Advice: "label another, or give --oneclass"}},
		{fmt.Errorf("fold 3: %w", inner), Parts{Code: OneClass, Fault: `fold 3: only the class "a: take b" is labelled`, Advice: "label another, or give --oneclass"}},
		{Errorf("fold %d: %w", 3, inner), Parts{Code: OneClass, Fault: `fold 3: only the class "a: take b" is labelled`, Advice: "label another, or give --oneclass"}},
		{Damaged.Errorf("the file is damaged (%w); fetch it again", read), Parts{Code: Damaged, Fault: "the file is damaged (cut off)", Advice: "fetch it again"}},
		{Errorf("100 %% of: them"), Parts{Fault: "100 % of: them"}},
		{read, Parts{Fault: "cut off"}},
	} {
		got := Apart(c.err, flag)
		if got.Error != Words(c.err, flag) || got.Code != c.want.Code || got.Fault != c.want.Fault || got.Advice != c.want.Advice {
			t.Errorf("%+v, want %+v", got, c.want)
		}
	}
	if err := Damaged.Errorf("the file is damaged (%w); fetch it again", read); !errors.Is(err, read) || !errors.Is(err, Damaged) || errors.Is(err, Format) {
		t.Error(err)
	}
	if want := `only the class "a: take b" is labelled: label another, or give Recipe{OneClass: true}`; inner.Error() != want {
		t.Errorf("%s, want %s", inner, want)
	}
	sent := OneClass.Messagef("a: give %s", Option{In: "Recipe", Name: "Kernel", Value: 7})
	text, err := json.Marshal(sent)
	var got Message
	if err == nil {
		err = json.Unmarshal(text, &got)
	}
	if err != nil || got.Error() != sent.Error() || Apart(got, flag) != Apart(sent, flag) {
		t.Errorf("%v, want %v: %v", got, sent, err)
	}
}

// Advice in the formats of this module begins with an imperative that is known: what follows the last semicolon of a message
// is no fault, but for the words listed here.
func TestImperatives(t *testing.T) {
	others := regexp.MustCompile(`^(a|all|an|by|each|it|in|its|keys|no|none|not|numeric,|of|numbers|one|only|others?|rows?|so|that|the|their|there|these|they|this|those|what|with|without|word|--recipe|` +
		`[a-z]+[ -][0-9].*|%.*|[0-9].*)$`)
	makers := map[string]bool{"Errorf": true, "Messagef": true, "Damagedf": true, "errorf": true, "fieldErrorf": true, "bad": true, "problemf": true, "badly": true}
	seen := 0
	err := filepath.WalkDir("../../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "/lab/") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, is := n.(*ast.CallExpr)
			if !is {
				return true
			}
			name := ""
			switch f := call.Fun.(type) {
			case *ast.Ident:
				name = f.Name
			case *ast.SelectorExpr:
				name = f.Sel.Name
			}
			for _, arg := range call.Args {
				lit, is := arg.(*ast.BasicLit)
				if !is || lit.Kind != token.STRING || !makers[name] {
					continue
				}
				format, err := strconv.Unquote(lit.Value)
				if err != nil {
					continue
				}
				seen++
				if at := strings.LastIndex(format, "; "); at >= 0 && marked(format) == format {
					if word, _, _ := strings.Cut(format[at+2:], " "); !others.MatchString(word) {
						t.Errorf("%s: %q begins no advice of %q: put it among the imperatives, or say it otherwise", path, word, format)
					}
				}
			}
			return true
		})
		return nil
	})
	if err != nil || seen < 500 {
		t.Errorf("%d formats: %v", seen, err)
	}
}
