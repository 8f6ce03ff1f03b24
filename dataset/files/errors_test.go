package files

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lapsvm/dataset"
)

// TestReadErrors holds the exact text of what the text readers say.
func TestReadErrors(t *testing.T) {
	numbers := Options{Encoding: new(dataset.Encoding)} // an encoding without columns
	for _, c := range []struct {
		name, text string
		o          Options
		want       string
	}{
		// Any text.
		{"a.csv", "", Options{}, `a.csv: the file is empty; check how it was made`},
		{"a.csv", "\n  \r\n", Options{}, `a.csv: the file has no rows; check how it was made`},
		{"a.csv", "x\x00,\x00y\x00\n\x00", Options{}, `a.csv:1: there is a zero byte: this is no text, or UTF-16 without a mark; for that give Options{Charset: "utf-16le"}`},
		{"a.csv", "x,label\n1,a\n2,b\x00\n", Options{}, `a.csv:3: there is a zero byte: this is no text, or UTF-16 without a mark; for that give Options{Charset: "utf-16le"}`},
		{"a.csv", "<table border=\"1\">\n<tr><td>1</td></tr>\n", Options{}, `a.csv: is a web page, which is not read; download the file itself, or save its table as CSV`},
		{"a.csv.gz", "x,label\n1,2\n", Options{}, `a.csv.gz: is called .gz but holds no gzip data; fetch it again, or rename it without .gz`},
		{"a.csv.zst", "x,label\n1,2\n", Options{}, `a.csv.zst: is called .zst but holds no zstd data; fetch it again, or rename it without .zst`},

		// Tables.
		{"a.csv", "x,label\n", Options{}, `a.csv:1: the table has a header but no rows; check how it was made`},
		{"a.csv", "1\n2\n", Options{}, `a.csv:1:1: the only column is taken for the labels, so there are no features; add a feature column, or say with Options{Features: 1} that it is one`},
		{"a.csv", "label\n2\n", Options{}, `a.csv:1:1: the only column is taken for the labels, so there are no features; add a feature column, or say with Options{Features: 1} that it is one`},
		{"a.csv", "a;b;label\n1;2\n", Options{}, `a.csv:2:3: the row has 2 columns, but line 1 has 3; make them equal (a value with a ';' needs quotes, a number a decimal point)`},
		{"a.csv", "1,5;2,x\n", Options{}, `a.csv:1:2: "5;2" has a ';'; if that separates the columns, write decimal points in place of commas; if the first line is a header, give Options{Header: "yes"}`},
		{"a.tsv", "a;b\n1;2\n", Options{}, `a.tsv:1:1: looks separated by ';': read it with Options{Format: "csv"}`},
		{"a.tsv", "a,b\n1,2\n", Options{}, `a.tsv:1:1: looks separated by ',': read it with Options{Format: "csv"}`},
		{"a.csv", "x,y,label\n1,2,a\n\n3,b\n", Options{}, `a.csv:4:3: the row has 2 columns, but line 1 has 3; make them equal (a value with a ',' needs quotes, a number a decimal point)`},
		{"a.csv", "1,2,a\n1,2,3,b\n", Options{}, `a.csv:2:4: the row has 4 columns, but line 1 has 3; make them equal (a value with a ',' needs quotes, a number a decimal point)`},
		{"a.csv", "x,y,label\n1,,a\n", numbers, `a.csv:2:2: column "y": the value is empty; fill it in or remove the row`},
		{"a.csv", "x,y,label\n1,NA,a\n", numbers, `a.csv:2:2: column "y": the value is missing ("NA"); fill it in or remove the row`},
		{"a.csv", "x,y,label\n1,2,a\n1,NaN,a\n", numbers, `a.csv:3:2: column "y": the value is missing ("NaN"); fill it in or remove the row`},
		{"a.csv", "1,2,caf\x81\n", Options{}, `a.csv: the name "caf\x81" is not UTF-8; save the file as UTF-8`},
		{"a.csv", "1,2,a\n-Inf,2,a\n", Options{}, `a.csv:2:1: "-Inf" is not finite; replace it by a number or remove the row`},
		{"a.csv", "1,2,a\n1,1e999,a\n", Options{}, `a.csv:2:2: "1e999" is too large for a double; rescale the values`},
		{"a.csv", "x,y,label\n\"1,5\",2,a\n", Options{}, `a.csv:2:1: column "x": "1,5" has a decimal comma; write numbers with a decimal point, or give Options{Decimal: ","}`},
		{"a.tsv", "1,5\t2\ta\n", Options{}, `a.tsv:1:1: "1,5" has a decimal comma; write numbers with a decimal point, or give Options{Decimal: ","}; if the first line is a header, give Options{Header: "yes"}`},
		{"a.csv", "species,x,y\nsetosa,1,2\n", numbers, `a.csv:2:1: column "species": "setosa" is not a number; correct or remove it; if the column holds the labels, give Options{Label: "species"}`},
		{"a.csv", "setosa,1,2\n", numbers, `a.csv:1:1: "setosa" is not a number; correct or remove it; if the column holds the labels, give Options{Label: "1"}; if the first line is a header, give Options{Header: "yes"}`},
		{"a.csv", "x,y,class\n1,2,3\n", Options{Label: "clas"}, `a.csv:1: no column is called "clas", did you mean "class"; choose the label column with Options.Label among x, y, class`},
		{"a.csv", "x,y,class\n1,2,3\n", Options{Label: "4"}, `a.csv:1: there is no column 4; choose the label column with Options{Label: "1"} to Options{Label: "3"}`},
		{"a.csv", "1,2,3\n", Options{Label: "class"}, `a.csv:1: the columns have no names, so none is called "class"; choose the label column with Options{Label: "1"} to Options{Label: "3"}; if the first line is a header, give Options{Header: "yes"}`},
		{"a.csv", "x,y,class\n1,2,3\n", Options{Columns: []string{"y", "z", "w"}}, `a.csv:1: these feature columns are missing: z, w; add them beside x, y, class`},
		{"a.csv", "x,y,class\n1,2,3\n", Options{Features: 5}, `a.csv:1: there are 2 feature columns (labels in column 3), but 5 are expected; give a file with 5`},
		{"a.csv", "x,x,class\n1,2,3\n", Options{}, `a.csv:1:2: columns 1 and 2 are both called "x"; rename one`},
		{"a.csv", "x,label\n1,\"a\nb\nc", Options{}, `a.csv:2:2: a quote opens here and is never closed; close it, double it if it belongs to the text, or give Options{Quoting: "none"} if quotes are text`},
		{"a.csv", "x,label\n1,5\" disk\n", Options{}, `a.csv:2:2: a quote stands inside a field without quotes; put the field in quotes and double the inner ones, or give Options{Quoting: "none"} if quotes are text`},
		{"a.csv", "x,label\n1,\"a\"b\n", Options{}, `a.csv:2:2: text follows the closing quote of a field; double the quotes inside a quoted field, or give Options{Quoting: "none"} if quotes are text`},

		// LIBSVM.
		{"a.svm", "# nothing\n\n", Options{}, `a.svm: the file has no rows; check how it was made`},
		{"a.svm", "1\n-1\n", Options{}, `a.svm: no row has a value; check that values are written as index:value`},
		{"a.svm", "1 1:1\n1 0:1\n", Options{}, `a.svm:2:3: index 0; indices count from 1: add 1 to every index of the file; rows of a kernel begin with 0 and the number of the point, and have all values behind it`},
		{"a.svm", "1 3:1 2:1\n", Options{}, `a.svm:1:7: index 2 comes after 3; sort each line by ascending index`},
		{"a.svm", "1 3:1 3:1\n", Options{}, `a.svm:1:7: index 3 comes twice; keep one of the two values`},
		{"a.svm", "1 3:1 4:1\n", Options{Features: 3}, `a.svm:1:7: index 4 is beyond the 3 features asked for; raise Options.Features to 4 or remove the entry`},
		{"a.svm", "1 2147483647:1\n", Options{}, `a.svm:1:3: index "2147483647" is beyond the largest possible, 67108864; check the line, and number the features anew if it is right`},
		{"a.svm", "1 99999999999999999999:1\n", Options{Features: 5}, `a.svm:1:3: index "99999999999999999999" is beyond the largest possible, 67108864; check the line, and number the features anew if it is right`},
		{"a.svm", "1 67108865:1\n", Options{Features: 1 << 27}, `a.svm:1:3: index "67108865" is beyond the largest possible, 67108864; check the line, and number the features anew if it is right`},
		{"a.svm", "1 1:1\n", Options{Features: 1 << 27}, `a.svm: there are 134217728 columns, but at most 67108864 are possible; leave out those without an entry`},
		{"a.svm", "1 x:1\n", Options{}, `a.svm:1:3: "x" is no index; write pairs such as 3:0.5, with whole indices from 1`},
		{"a.svm", "1 -1:1\n", Options{}, `a.svm:1:3: "-1" is no index; write pairs such as 3:0.5, with whole indices from 1`},
		{"a.svm", "1 :1\n", Options{}, `a.svm:1:3: "" is no index; write pairs such as 3:0.5, with whole indices from 1`},
		{"a.svm", "1 1:1 2\n", Options{}, `a.svm:1:7: "2" is no index:value pair; write one label and then pairs such as 3:0.5`},
		{"a.svm", "1 1:\n", Options{}, `a.svm:1:5: index 1: the value is empty; fill it in or remove the row`},
		{"a.svm", "1\t1:2:3\n", Options{}, `a.svm:1:5: index 1: "2:3" is not a number; correct or remove it`},
		{"a.svm", "1 1:0,5\n", Options{}, `a.svm:1:5: index 1: "0,5" has a decimal comma; write numbers with a decimal point`},
		{"a.svm", "1 1:nan\n", Options{}, `a.svm:1:5: index 1: the value is missing ("nan"); fill it in or remove the row`},
		{"a.svm", "1 1:inf\n", Options{}, `a.svm:1:5: index 1: "inf" is not finite; replace it by a number or remove the row`},
		{"a.svm", "1,2,3\n", Options{}, `a.svm:1:1: the label "1,2,3" is several numbers or has a decimal comma; give one label per row, with a decimal point (a table is read with Options{Format: "csv"})`},
		{"a.svm", "\x00\x01\xfe 1:1\n", Options{}, `a.svm:1: there is a zero byte: this is no text, or UTF-16 without a mark; for that give Options{Charset: "utf-16le"}`},
		{"a.svm", strings.Repeat("ab", 30) + " cd\n", Options{}, `a.svm:1:62: "cd" is no index:value pair; write one label and then pairs such as 3:0.5`},
		{"a.svm", "1 1:" + strings.Repeat("ab", 30), Options{}, `a.svm:1:5: index 1: "` + strings.Repeat("ab", 20) + `"… is not a number; correct or remove it`},
	} {
		_, err := Read(strings.NewReader(c.text), c.name, c.o)
		checkError(t, err, c.want)
	}
}

func TestBinaryErrors(t *testing.T) {
	npy := func(descr, order, shape string, data ...byte) string {
		head := "{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }\n"
		return "\x93NUMPY\x01\x00" + string([]byte{byte(len(head)), 0}) + head + string(data)
	}
	for _, c := range []struct {
		name, data string
		o          Options
		want       string
	}{
		{"a.npy", "not an array", Options{}, `a.npy: this is no npy file; check its format, or write it with numpy.save`},
		{"a.npy", "\x93NUM", Options{}, `a.npy: this is no npy file; check its format, or write it with numpy.save`},
		{"a.npy", "\x93NUMPY\x09\x00\x00\x00", Options{}, `a.npy: npy version 9 is not known; write it again with numpy.save, in version 1 to 3`},
		{"a.npy", "\x93NUMPY\x02\x00\xff\xff\xff\xff{", Options{}, `a.npy: the header of the npy file is damaged or cut off; write it again with numpy.save`},
		{"a.npy", "\x93NUMPY\x01\x00\x40\x00{", Options{}, `a.npy: the header of the npy file is damaged or cut off; write it again with numpy.save`},
		{"a.npy", npy("'<f8'", "False", "(x, 2)"), Options{}, `a.npy: the header of the npy file is damaged or cut off; write it again with numpy.save`},
		{"a.npy", npy("[('x', '<f8')]", "False", "(3,)"), Options{}, `a.npy: the array has named fields; save a plain array of numbers with two dimensions`},
		{"a.npy", npy("'<c16'", "False", "(3, 2)"), Options{}, `a.npy: the array's type is "<c16"; save numbers: bool, int8 to int64, uint8 to uint64, float16 to float64`},
		{"a.npy", npy("'|u1'", "False", "(3,)", 1, 2, 3), Options{}, `a.npy: the array is 1-dimensional; save a table of rows and columns, such as a.reshape(-1, 1)`},
		{"a.npy", npy("'|u1'", "False", "(0, 3)"), Options{}, `a.npy: the array is 0×3; save one with at least one row and one column that fits into memory`},
		{"a.npy", npy("'|u1'", "False", "(4294967296, 4294967296)"), Options{}, `a.npy: the array is 4294967296×4294967296; save one with at least one row and one column that fits into memory`},
		{"a.npy", npy("'|u1'", "False", "(1, 1099511627776)", 1, 2, 3), Options{}, `a.npy: the file ends after 3 of 1099511627776 values; fetch or write it again`},
		{"a.npy", npy("'|u1'", "False", "(2, 2)", 1, 2, 3, 4, 5), Options{}, `a.npy: the file goes on after its 4 values; check that it holds one array only, and fetch or write it again`},
		{"a.npy", npy("'|u1'", "False", "(2, 1)", 1, 2), Options{}, `a.npy: the only column is taken for the labels, so there are no features; add a feature column, or say with Options{Features: 1} that it is one`},
		{"a.npy", npy("'|u1'", "False", "(1, 3)", 1, 2, 3), Options{Label: "y"}, `a.npy: the columns have no names, so none is called "y"; choose the label column with Options{Label: "1"} to Options{Label: "3"}; if the first line is a header, give Options{Header: "yes"}`},
		{"a.npy", npy("'|u1'", "False", "(1, 3)", 1, 2, 3), Options{Features: 7}, `a.npy: there are 2 feature columns (labels in column 3), but 7 are expected; give a file with 7`},
		{"a.npy", npy("'<f4'", "False", "(2, 2)", 0, 0, 128, 63, 0, 0, 0, 0, 0, 0, 0xc0, 0x7f, 0, 0, 0, 0), Options{}, `a.npy: row 2, column 1 holds NaN; replace it by a number or remove the row`},
		{"a.npy", npy("'>f4'", "True", "(2, 2)", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0x80, 0, 0), Options{Label: "1"}, `a.npy: row 2, column 2 holds -Inf; replace it by a number or remove the row`},
		{"a.npy", npy("'>f4'", "True", "(1, 2)", 0, 0, 0, 0, 0xff, 0x80, 0, 0), Options{}, `a.npy: row 1, column 2: the label is -Inf; give a number, or NaN for no label`},
		{"a.npy", npy("'<u8'", "False", "(1, 2)", 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 128), Options{}, `a.npy: row 1, column 2: the label 9223372036854775808 is too large to be exact; number the classes from 0`},

		{"a-images-idx3-ubyte", "\x01\x00\x08\x01", Options{}, `a-images-idx3-ubyte: this is no idx file; check its format`},
		{"a.idx", "\x00\x00\x08", Options{}, `a.idx: this is no idx file; check its format`},
		{"a.idx", "\x00\x00\x07\x01\x00\x00\x00\x01x", Options{}, `a.idx: the idx type 0x07 is not known; check that this is an idx file`},
		{"a.idx", "\x00\x00\x08\xff\x00\x00\x00\x01x", Options{}, `a.idx: the header of the idx file is damaged or cut off; fetch it again`},
		{"a.idx", "\x00\x00\x08\x00x", Options{}, `a.idx: the dimensions are []; check the file: each must be at least 1, and all values must fit into memory`},
		{"a.idx", "\x00\x00\x08\x02\x00\x00\x00\x02\x00\x00\x00\x00x", Options{}, `a.idx: the dimensions are [2 0]; check the file: each must be at least 1, and all values must fit into memory`},
		{"a.idx", "\x00\x00\x0b\x02\xff\xff\xff\xff\x0f\xff\xff\xffab", Options{}, `a.idx: the file ends after 1 of 1152921500043444225 values; fetch or write it again`},
		{"a.idx", "\x00\x00\x08\x01\x00\x00\x00\x01xy", Options{}, `a.idx: the file goes on after its 1 values; check that it holds one array only, and fetch or write it again`},
		{"a.idx", "\x00\x00\x0d\x02\x00\x00\x00\x01\x00\x00\x00\x01\x7f\x80\x00\x00", Options{}, `a.idx: row 1, column 1 holds +Inf; replace it by a number or remove the row`},
		{"a.idx", "\x00\x00\x08\x02\x00\x00\x00\x01\x00\x00\x00\x01x", Options{Features: 2}, `a.idx: there are 1 features, but 2 are expected; give a file with 2`},
		{"a-labels-idx1-ubyte", "\x00\x00\x08\x01\x00\x00\x00\x01x", Options{}, `a-labels-idx1-ubyte: these are the labels of an idx dataset; give its images file, the labels are found beside it`},
	} {
		_, err := Read(strings.NewReader(c.data), c.name, c.o)
		checkError(t, err, c.want)
	}
}

// checkError wants an *dataset.Error with exactly this text.
func checkError(t *testing.T, err error, want string) {
	t.Helper()
	var e *dataset.Error
	if err == nil || err.Error() != want || !errors.As(err, &e) {
		t.Errorf("error (%T):\n got %v\nwant %s", err, err, want)
	}
}

func TestFileErrors(t *testing.T) {
	dir := t.TempDir()
	missing := filepath.Join(dir, "no.csv")
	_, err := ReadFile(missing, Options{})
	checkError(t, err, missing+": there is no such file; check the name and the folder")
	if !errors.Is(err, fs.ErrNotExist) {
		t.Error("a missing file is not fs.ErrNotExist")
	}

	folder := filepath.Join(dir, "folder.csv")
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	_, err = ReadFile(folder, Options{})
	checkError(t, err, folder+": is a folder; give a file inside it")

	for _, c := range []struct{ got, want string }{
		{text(ReadFile("a.xls", Options{})), "a.xls: there is no such file; check the name and the folder"},
		{text(Read(strings.NewReader("1"), "-", Options{})), `the name "-" does not tell the format; give Options.Format ` + formatNames()},
		{text(Read(strings.NewReader("1"), "-", Options{Format: "xls"})), `unknown format "xls"; choose ` + formatNames()},
	} {
		if c.got != c.want {
			t.Errorf("got %s\nwant %s", c.got, c.want)
		}
	}
}

func text(_ *dataset.Dataset, err error) string { return err.Error() }

// TestDamagedCompression cuts compressed files at every length and flips bits:
// there is always an error that names the file, and never wrong data.
func TestDamagedCompression(t *testing.T) {
	plain := []byte(strings.Repeat("1,2,a\n3,4,b\n5.25,-6,a\n", 20))
	want, err := Read(bytes.NewReader(plain), "a.csv", Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, ending := range []string{".gz", ".zst"} {
		var b bytes.Buffer
		w, err := pack(&b, ending)
		if err != nil {
			t.Fatal(err)
		}
		w.Write(plain)
		w.Close()
		whole := b.Bytes()
		for cut := range len(whole) {
			d, err := Read(bytes.NewReader(whole[:cut]), "a.csv"+ending, Options{})
			var e *dataset.Error
			if !errors.As(err, &e) || e.File != "a.csv"+ending {
				t.Fatalf("%s cut to %d of %d: %v, %v", ending, cut, len(whole), d, err)
			}
		}
		for i := range len(whole) {
			damaged := bytes.Clone(whole)
			damaged[i] ^= 0x10
			if d, err := Read(bytes.NewReader(damaged), "a.csv"+ending, Options{}); err == nil && !equal(d, want) {
				t.Fatalf("%s with byte %d changed is read as other data", ending, i)
			}
		}
		_, err = Read(bytes.NewReader(whole[:len(whole)-1]), "a.csv"+ending, Options{})
		kind := map[string]string{".gz": "gzip", ".zst": "zstd"}[ending]
		checkError(t, err, "a.csv"+ending+": the "+kind+" data is damaged or cut off (unexpected EOF); fetch or write the file again")
	}
}
