package use

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"lapsvm"
	"lapsvm/app/command/cli"
	"lapsvm/app/command/input"
	"lapsvm/export"
	"lapsvm/internal/points/gram"
	"lapsvm/internal/system/atomicfile"
)

// formatOwn is the program's own format, beside those of package export.
const formatOwn export.Format = "lapsvm"

// exportRequest holds the flags of export.
type exportRequest struct {
	output    cli.OutputFlags
	format    string
	precision string
	encoded   bool
	prune     float64
	pruned    bool // --prune was given
}

// Export returns the command export, which writes a model for other tools.
func Export(p *cli.Program) *cobra.Command {
	var r exportRequest
	c := &cobra.Command{
		Use:   "export MODEL OUT",
		Short: "Write a model for other tools: ONNX, LIBSVM, JSON",
		Long: `export writes a model in the format of another tool:

  onnx    for onnxruntime and others: labels, decision values, probabilities
  libsvm  the text that svm-predict reads
  json    all parts of the model with exact numbers
  lapsvm  the model file again, with --prune

It refuses what a format cannot express, and says why. An ONNX file takes float32
where that was measured to change no label, else float64. Of a model of a table it
has an input for each column, by its name. The other formats take encoded columns.
With --encoded a file of any format takes what lapsvm encode MODEL DATA OUT writes.
What LIBSVM's text has no place for is written beside OUT: the standardisation,
for svm-scale, as OUT.range, and class names that are no numbers as OUT.labels.`,
		Example: `  lapsvm export model.lapsvm model.onnx
  lapsvm export model.lapsvm model.onnx --precision 64
  lapsvm export model.lapsvm small.lapsvm --prune 1e-3`,
		Args: cli.Arguments("MODEL", "OUT"),
		RunE: func(c *cobra.Command, args []string) error {
			r.pruned = c.Flags().Changed("prune")
			format, err := exportFormat(r.format, args[1])
			if err != nil {
				return err
			}
			if format != export.FormatONNX && c.Flags().Changed("precision") {
				return cli.Usagef("--precision is for onnx; the format %s has the model's exact numbers", format)
			}
			if format == formatOwn && r.encoded {
				return cli.Usagef("--encoded is for other tools; a model file of this program takes data as they are")
			}
			return runExport(c.Context(), p, args[0], args[1], format, &r)
		},
	}
	c.Flags().SortFlags = false
	cli.AddOneOf(c.Flags(), &r.format, "format", "", "onnx, libsvm, json or lapsvm (default: by the name of OUT)", "onnx", "libsvm", "json", "lapsvm")
	cli.AddOneOf(c.Flags(), &r.precision, "precision", "auto", "bits of an ONNX file's inputs and outputs: 32, 64, or auto (32 if no label changes by it)", "auto", "32", "64")
	c.Flags().BoolVar(&r.encoded, "encoded", false, "the file takes points as lapsvm encode writes them, not columns, dots or features")
	c.Flags().Float64Var(&r.prune, "prune", 0, "leave out basis points, as long as no decision value at a basis point changes by more than this")
	r.output.Beside = func(args []string) []string {
		if format, err := exportFormat(r.format, args[1]); err != nil || format != export.FormatLIBSVM {
			return nil
		}
		return []string{export.SideRange, export.SideLabels}
	}
	r.output.Register(p, c)
	c.Flags().Lookup("progress").Hidden = true
	return c
}

// runExport writes the model called path to out. It encodes the whole model before
// it touches out, so that only a failure of writing can concern out.
func runExport(ctx context.Context, p *cli.Program, path, out string, format export.Format, r *exportRequest) error {
	m, err := input.LoadModel(ctx, path)
	if err != nil {
		return err
	}
	encode := func(w io.Writer, m *lapsvm.Model) (written, error) {
		more, err := cli.Interruptible(ctx, func() (written, error) {
			return writeModel(ctx, atomicfile.Until(ctx, w), m, format, r)
		})
		switch {
		case ctx.Err() != nil:
			return more, ctx.Err()
		case err != nil:
			return more, cli.BadData(fmt.Errorf("%s: %w", path, err))
		}
		return more, nil
	}
	result := exportResult{Format: format}
	if r.pruned {
		var before byteCounter
		if _, err := encode(&before, m); err != nil {
			return err
		}
		result.Pruned = &pruneResult{Allowed: r.prune, Basis: m.Basis(), Bytes: int64(before)}
		if m, result.Pruned.Change, err = m.Prune(ctx, r.prune); err != nil {
			return err
		}
	}
	var file bytes.Buffer
	more, err := encode(&file, m)
	if err != nil {
		return err
	}
	result.Basis, result.Bytes, result.Inputs, result.Rounding = m.Basis(), int64(file.Len()), more.inputs, more.rounding
	var whole []atomicfile.File
	for _, side := range more.sides {
		if info, err := os.Stat(out); err == nil && !info.Mode().IsRegular() {
			return cli.Usagef("this model needs the file OUT%s beside OUT, and %s is no file: give OUT the name of one", side.Ending, out)
		}
		result.Beside = append(result.Beside, out+side.Ending)
		whole = append(whole, content(out+side.Ending, bytes.NewReader(side.Content)))
	}
	if err := atomicfile.WriteAll(append(whole, content(out, &file))...); err != nil {
		return err
	}
	if r.output.JSON {
		return cli.PrintJSON(p.Stdout, result)
	}
	if !r.output.Quiet {
		printExport(p.Text, m, path, out, r.encoded, result)
	}
	return nil
}

// content returns a file with contents that are in memory already.
func content(path string, from io.WriterTo) atomicfile.File {
	return atomicfile.File{Path: path, Write: func(w io.Writer) error {
		_, err := from.WriteTo(w)
		return err
	}}
}

// precisionOf returns the precision for --precision; 0 lets the labels decide.
func precisionOf(bits string) gram.Precision {
	switch bits {
	case "32":
		return gram.Single
	case "64":
		return gram.Double
	}
	return 0
}

// exportFormat returns the requested format, or else the format by the file's
// name.
func exportFormat(format, path string) (export.Format, error) {
	switch {
	case format != "":
		return export.Format(format), nil
	case strings.EqualFold(filepath.Ext(path), ".lapsvm"):
		return formatOwn, nil
	}
	f, err := export.FormatOf(path)
	if err != nil {
		return "", cli.Usagef("%w, or give --format", err)
	}
	return f, nil
}

// written is the further output of an export beside the model's file.
type written struct {
	inputs   []string        // of ONNX
	rounding *roundingResult // of ONNX
	sides    []export.Side   // of LIBSVM
}

func writeModel(ctx context.Context, w io.Writer, m *lapsvm.Model, format export.Format, r *exportRequest) (written, error) {
	c, err := m.Contents()
	if err != nil {
		return written{}, err
	}
	if r.encoded {
		if c, err = export.Encoded(c); err != nil {
			return written{}, err
		}
	}
	switch format {
	case export.FormatONNX:
		inputs, err := export.Inputs(c)
		if err != nil {
			return written{}, err
		}
		by, err := export.ONNX(ctx, w, c, precisionOf(r.precision))
		return written{inputs: inputs, rounding: &roundingResult{by.Precision, by.Tried, by.Changed, by.Largest}}, err
	case export.FormatLIBSVM:
		sides, err := export.LIBSVM(w, c)
		return written{sides: sides}, err
	case export.FormatJSON:
		return written{}, export.JSON(w, c)
	}
	return written{}, m.Write(w)
}

// byteCounter counts the bytes that are written to it.
type byteCounter int64

func (n *byteCounter) Write(b []byte) (int, error) {
	*n += byteCounter(len(b))
	return len(b), nil
}
