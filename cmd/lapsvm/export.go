package main

import (
	"bytes"
	"context"
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

// exportRequest is what the flags of export ask for.
type exportRequest struct {
	output    outputFlags
	format    string
	precision int
	prune     float64
	pruned    bool // --prune was given
}

func (p *program) export() *cobra.Command {
	var r exportRequest
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
			r.pruned = c.Flags().Changed("prune")
			format, err := exportFormat(r.format, args[1])
			if err != nil {
				return err
			}
			if r.precision != 32 && r.precision != 64 {
				return usagef("--precision takes 32 or 64, not %d", r.precision)
			}
			if format != export.FormatONNX && c.Flags().Changed("precision") {
				return usagef("--precision is for onnx; the format %s has the model's exact numbers", format)
			}
			return p.runExport(c.Context(), args[0], args[1], format, &r)
		},
	}
	c.Flags().SortFlags = false
	addOneOf(c.Flags(), &r.format, "format", "", "onnx, libsvm, json or lapsvm (default: by the name of OUT)", "onnx", "libsvm", "json", "lapsvm")
	c.Flags().IntVar(&r.precision, "precision", 32, "of an ONNX file's numbers, its input and its outputs: 32 or 64 bits")
	c.Flags().Float64Var(&r.prune, "prune", 0, "leave out basis points, as long as no decision value at a basis point changes by more than this")
	r.output.register(p, c)
	c.Flags().Lookup("progress").Hidden = true
	return c
}

// runExport writes the model called path to out, whole before out is touched: what
// fails until then is not the disk.
func (p *program) runExport(ctx context.Context, path, out string, format export.Format, r *exportRequest) error {
	m, err := loadModel(ctx, path)
	if err != nil {
		return err
	}
	encode := func(w io.Writer, m *lapsvm.Model) error {
		if err := writeModel(atomicfile.Until(ctx, w), m, format, gram.Precision(r.precision)); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return dataError{fmt.Errorf("%s: %w", path, err)}
		}
		return nil
	}
	result := exportResult{Format: format}
	if r.pruned {
		var before byteCounter
		if err := encode(&before, m); err != nil {
			return err
		}
		result.Pruned = &pruneResult{Allowed: r.prune, Basis: m.Basis(), Bytes: int64(before)}
		if m, result.Pruned.Change, err = m.Prune(ctx, r.prune); err != nil {
			return err
		}
	}
	var file bytes.Buffer
	if err := encode(&file, m); err != nil {
		return err
	}
	result.Basis, result.Bytes = m.Basis(), int64(file.Len())
	if err := atomicfile.Write(out, func(w io.Writer) error {
		_, err := file.WriteTo(w)
		return err
	}); err != nil {
		return err
	}
	if r.output.json {
		return printJSON(p.stdout, result)
	}
	if !r.output.quiet {
		printExport(p.text, m, out, result)
	}
	return nil
}

// printExport tells people of an export.
func printExport(w io.Writer, m *lapsvm.Model, out string, result exportResult) {
	switch pruned := result.Pruned; {
	case pruned == nil:
	case pruned.Basis == result.Basis:
		fmt.Fprintf(w, "nothing is pruned: a change of %g takes all %s\n", pruned.Allowed, count(pruned.Basis, "basis point", "basis points"))
	default:
		fmt.Fprintf(w, "pruned from %d to %s, %d to %d bytes; decision values at the basis points change by at most %.3g\n",
			pruned.Basis, count(result.Basis, "basis point", "basis points"), pruned.Bytes, result.Bytes, pruned.Change)
	}
	if m.Encoding() != nil && result.Format != formatOwn {
		fmt.Fprintf(w, "the file takes the %d features that the table's columns became (lapsvm info lists them), not the columns\n", m.Dim())
	}
	fmt.Fprintf(w, "%s: %s, %s, %d bytes\n", out, result.Format, count(result.Basis, "basis point", "basis points"), result.Bytes)
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

// byteCounter counts the bytes that are written to it.
type byteCounter int64

func (n *byteCounter) Write(b []byte) (int, error) {
	*n += byteCounter(len(b))
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
