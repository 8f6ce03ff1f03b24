package main

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"lapsvm"
	"lapsvm/export"
	"lapsvm/gram"
	"lapsvm/internal/atomicfile"
)

// formatOwn is the program's own format, beside those of package export.
const formatOwn export.Format = "lapsvm"

func (p *program) export() *cobra.Command {
	var report reportFlags
	var format string
	var precision int
	var prune float64
	c := &cobra.Command{
		Use:   "export MODEL OUT",
		Short: "Write a model for other tools: ONNX, LIBSVM, JSON",
		Long: `export writes a model in the format of another tool:

  onnx    for onnxruntime and others: labels, decision values, probabilities
  libsvm  the text that svm-predict reads, for data that were not standardised
  json    all parts of the model with exact numbers
  lapsvm  the model file again, with --prune

It refuses what a format cannot express, and says why.`,
		Example: `  lapsvm export model.lapsvm model.onnx
  lapsvm export model.lapsvm model.onnx --precision 64
  lapsvm export model.lapsvm small.lapsvm --prune 1e-3`,
		Args: arguments("MODEL", "OUT"),
		RunE: func(c *cobra.Command, args []string) error {
			chosen, err := exportFormat(format, args[1])
			if err != nil {
				return err
			}
			if precision != 32 && precision != 64 {
				return usagef("--precision takes 32 or 64, not %d", precision)
			}
			if chosen != export.FormatONNX && c.Flags().Changed("precision") {
				return usagef("--precision is for onnx; the format %s has the model's exact numbers", chosen)
			}
			m, err := loadModel(args[0])
			if err != nil {
				return err
			}
			result := exportResult{Format: chosen, Basis: m.Basis()}
			encode := func(w io.Writer, m *lapsvm.Model) error {
				return writeModel(w, m, chosen, gram.Precision(precision))
			}
			if c.Flags().Changed("prune") {
				var before written
				if err := encode(&before, m); err != nil {
					return dataError{fmt.Errorf("%s: %w", args[0], err)}
				}
				result.Pruned = &pruneResult{Allowed: prune, Basis: m.Basis(), Bytes: int64(before)}
				if m, result.Pruned.Change, err = m.Prune(c.Context(), prune); err != nil {
					return err
				}
				result.Basis = m.Basis()
			}
			var file bytes.Buffer // whole before OUT is touched: what fails here is not the disk
			if err := encode(&file, m); err != nil {
				return dataError{fmt.Errorf("%s: %w", args[0], err)}
			}
			result.Bytes = int64(file.Len())
			if err := atomicfile.Write(args[1], func(w io.Writer) error {
				_, err := file.WriteTo(w)
				return err
			}); err != nil {
				return err
			}
			if report.json {
				return printJSON(p.stdout, result)
			}
			if report.quiet {
				return nil
			}
			switch r := result.Pruned; {
			case r == nil:
			case r.Basis == result.Basis:
				fmt.Fprintf(p.stdout, "nothing is pruned: a change of %g takes all %s\n", prune, count(r.Basis, "basis point", "basis points"))
			default:
				fmt.Fprintf(p.stdout, "pruned from %d to %s, %d to %d bytes; decision values at the basis points change by at most %.3g\n",
					r.Basis, count(result.Basis, "basis point", "basis points"), r.Bytes, result.Bytes, r.Change)
			}
			if m.Encoding() != nil && chosen != formatOwn {
				fmt.Fprintf(p.stdout, "the file takes the %d features that the table's columns became (lapsvm info lists them), not the columns\n", m.Dim())
			}
			fmt.Fprintf(p.stdout, "%s: %s, %s, %d bytes\n", args[1], chosen, count(result.Basis, "basis point", "basis points"), result.Bytes)
			return nil
		},
	}
	c.Flags().SortFlags = false
	choose(c.Flags(), &format, "format", "", "onnx, libsvm, json or lapsvm (default: by the name of OUT)", "onnx", "libsvm", "json", "lapsvm")
	c.Flags().IntVar(&precision, "precision", 32, "of an ONNX file's numbers, its input and its outputs: 32 or 64 bits")
	c.Flags().Float64Var(&prune, "prune", 0, "leave out basis points, as long as no decision value at a basis point changes by more than this")
	report.register(c)
	c.Flags().Lookup("progress").Hidden = true
	return c
}

// exportFormat is the format asked for, or else the one the file's name tells.
func exportFormat(format, path string) (export.Format, error) {
	switch {
	case format != "":
		return export.Format(format), nil
	case strings.EqualFold(filepath.Ext(path), ".lapsvm"):
		return formatOwn, nil
	}
	f, err := export.FormatOf(path)
	if err != nil {
		return "", usagef("%w, or give --format", err)
	}
	return f, nil
}

func writeModel(w io.Writer, m *lapsvm.Model, format export.Format, precision gram.Precision) error {
	c, err := m.Contents()
	if err != nil {
		return err
	}
	switch format {
	case export.FormatONNX:
		return export.ONNX(w, c, precision)
	case export.FormatLIBSVM:
		return export.LIBSVM(w, c)
	case export.FormatJSON:
		return export.JSON(w, c)
	}
	return m.Write(w)
}

// written counts what is written to it.
type written int64

func (s *written) Write(b []byte) (int, error) {
	*s += written(len(b))
	return len(b), nil
}

// exportResult is the JSON of an export.
type exportResult struct {
	Format export.Format `json:"format"`
	Basis  int           `json:"basis"` // points that were written
	Bytes  int64         `json:"bytes"`
	Pruned *pruneResult  `json:"pruned,omitempty"`
}

// pruneResult says what was there before.
type pruneResult struct {
	Allowed float64 `json:"allowed"`
	Change  float64 `json:"change"` // largest of a decision value at the basis points
	Basis   int     `json:"basis_before"`
	Bytes   int64   `json:"bytes_before"`
}
