package command

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"lapsvm/app/command/cli"
)

// photos makes a folder of red and blue images, four of each class, and a model of them.
func photos(t *testing.T) (folder, model string) {
	t.Helper()
	folder = filepath.Join(t.TempDir(), "photos")
	for class, c := range map[string]color.NRGBA{"red": {200, 30, 30, 255}, "blue": {20, 40, 220, 255}} {
		if err := os.MkdirAll(filepath.Join(folder, class), 0o777); err != nil {
			t.Fatal(err)
		}
		for k := range 4 {
			img := image.NewNRGBA(image.Rect(0, 0, 9, 7))
			for at := range 63 {
				img.SetNRGBA(at%9, at/9, color.NRGBA{c.R + uint8(3*k), c.G + uint8(at%9), c.B, 255})
			}
			f, err := os.Create(filepath.Join(folder, class, fmt.Sprintf("%d.png", k)))
			if err != nil {
				t.Fatal(err)
			}
			if err := png.Encode(f, img); err != nil {
				t.Fatal(err)
			}
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
	model = filepath.Join(filepath.Dir(folder), "m.lapsvm")
	succeed(t, "train", folder, "-o", model, "--image-size", "5x3", "--image-colour", "--neighbours", "2")
	return folder, model
}

// succeed runs a command that must succeed, and returns its standard output.
func succeed(t *testing.T, args ...string) string {
	t.Helper()
	code, stdout, stderr := lapsvmRun(t, t.Context(), "", args...)
	if code != cli.ExitDone {
		t.Fatalf("%v: exit %d, %s", args, code, stderr)
	}
	return stdout
}

// A model of images remembers their size and colour: predict needs no flags, and
// flags that differ are refused.
func TestImagesAreReadAsInTraining(t *testing.T) {
	photos, model := photos(t)
	must := func(args ...string) string { t.Helper(); return succeed(t, args...) }
	want := "file,label\nblue/0.png,blue\nblue/1.png,blue\nblue/2.png,blue\nblue/3.png,blue\nred/0.png,red\nred/1.png,red\nred/2.png,red\nred/3.png,red\n"
	for _, flags := range [][]string{nil, {"--image-size", "5x3", "--image-colour"}} {
		if got := must(append([]string{"predict", model, photos}, flags...)...); got != want {
			t.Errorf("%v: %q", flags, got)
		}
	}
	if got := must("info", model); !strings.Contains(got, "images            5×3, colour\n") {
		t.Errorf("info: %s", got)
	}
	if got := must("info", model, "--json"); !strings.Contains(got, `"image":{"width":5,"height":3,"colour":true}`) {
		t.Errorf("info: %s", got)
	}
	if code, _, stderr := lapsvmRun(t, t.Context(), "", "predict", model, photos, "--image-size", "8x8"); code != cli.ExitData || !strings.Contains(stderr, "images of 8×8 dots have 64 features, but 45 are expected") || !strings.Contains(stderr, "the model takes images of 5×3 dots, in colour: leave out --image-size and --image-colour") {
		t.Errorf("exit %d, %s", code, stderr)
	}
}

// The rows of images have the names of their files, and with --keep the class of their
// folder, in every form of the result.
func TestPredictionsOfImagesHaveFileNames(t *testing.T) {
	folder, model := photos(t)
	blue, red := filepath.Join(folder, "blue", "1.png"), filepath.Join(folder, "red", "2.png")
	both := "file,label\n" + blue + ",blue\n" + red + ",red\n"
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{red}, "file,label\n" + red + ",red\n"},
		{[]string{blue, red}, both},
		{[]string{filepath.Join(folder, "*", "[12].png")}, "file,label\n" + blue + ",blue\n" + filepath.Join(folder, "blue", "2.png") + ",blue\n" + filepath.Join(folder, "red", "1.png") + ",red\n" + red + ",red\n"},
		{[]string{filepath.Join(folder, "blue")}, "file,label\n0.png,blue\n1.png,blue\n2.png,blue\n3.png,blue\n"},
		{[]string{filepath.Join(folder, "blue"), "--keep"}, "file,label\n0.png,blue\n1.png,blue\n2.png,blue\n3.png,blue\n"},
	} {
		if got := succeed(t, append([]string{"predict", model}, c.args...)...); got != c.want {
			t.Errorf("%v: %q, want %q", c.args, got, c.want)
		}
	}
	if got := succeed(t, "predict", model, folder, "--keep"); !strings.HasPrefix(got, "file,label,predicted_label\nblue/0.png,blue,blue\n") {
		t.Errorf("with --keep: %q", got)
	}
	if got := succeed(t, "predict", model, blue, red, "--json"); !strings.Contains(got, `"columns":["file"],"rows":[["`+blue+`"],["`+red+`"]]`) {
		t.Errorf("JSON: %s", got)
	}
	if got := succeed(t, "predict", model, folder, "--explain", "1"); !strings.Contains(got, "row 1 (file blue/0.png): blue") {
		t.Errorf("explanation: %s", got)
	}
}

// More than one DATA must be images. For other files the error says what to do.
func TestSeveralDataAreImagesOrNone(t *testing.T) {
	folder, model := photos(t)
	table := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(table, []byte("1,2\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	one := filepath.Join(folder, "red", "0.png")
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{one, table}, cli.ExitUsage, "only one of " + one + " and " + table + " is an image by its name: several DATA must all be image files (png, jpg, jpeg, gif, bmp, webp, tif or tiff), or none"},
		{[]string{folder, one}, cli.ExitUsage, folder + " is a folder, but several DATA must all be files: give the folder alone"},
		{[]string{filepath.Join(folder, "x*")}, cli.ExitData, "there is no such file, and none that fits it as a pattern"},
		{[]string{filepath.Join(folder, "x.png")}, cli.ExitData, "there is no such image or folder of images"},
		{[]string{one, filepath.Join(folder, "x.png")}, cli.ExitData, "x.png: cannot be opened"},
		{[]string{one, "-o", one}, cli.ExitUsage, "would replace DATA " + one},
		{[]string{filepath.Join(folder, "blue", "0.png"), one, "-o", one}, cli.ExitUsage, "would replace DATA " + one},
		{[]string{one, "--sort-by", "link"}, cli.ExitUsage, "give --sort-into DIR too"},
		{[]string{table, "--sort-into", filepath.Join(folder, "sorted")}, cli.ExitUsage, "--sort-into sorts images, and " + table + " is neither one nor a folder of them"},
	} {
		if code, _, stderr := lapsvmRun(t, t.Context(), "", append([]string{"predict", model}, c.args...)...); code != c.code || !strings.Contains(stderr, c.want) {
			t.Errorf("%v: exit %d, %s", c.args, code, stderr)
		}
	}
}

// A picture that cannot be read is left out and listed where a command makes the vectors, and a model of vectors takes pictures.
func TestVectorsOfPicturesWithoutTheBroken(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the command is for sh")
	}
	folder, _ := photos(t)
	if err := os.WriteFile(filepath.Join(folder, "red", "9.png"), []byte("broken"), 0o666); err != nil {
		t.Fatal(err)
	}
	model := filepath.Join(t.TempDir(), "v.lapsvm")
	by := `lines=$(cat); case "$lines" in *9.png*) exit 1;; esac; echo "$lines" | sed 's/.*red.*/[1, 0]/; s/.*blue.*/[0, 1]/'`
	for _, args := range [][]string{{"train", folder, "-o", model}, {"predict", model, folder}} {
		code, stdout, stderr := lapsvmRun(t, t.Context(), "", append(args, "--embed-with", by)...)
		if code != cli.ExitDone || !strings.Contains(stderr, "an image cannot be read, and is left out (--strict stops at it):\n  "+filepath.Join(folder, "red", "9.png")) || strings.Contains(stderr, "trained on no images") {
			t.Errorf("%v: exit %d, %s", args, code, stderr)
		}
		if args[0] == "predict" && (strings.Count(stdout, "\n") != 9 || strings.Contains(stdout, "9.png")) {
			t.Error(stdout)
		}
		if code, _, stderr := lapsvmRun(t, t.Context(), "", append(args, "--strict", "--embed-with", by)...); code != cli.ExitData || !strings.Contains(stderr, "9.png: the image is damaged") {
			t.Errorf("%v: exit %d, %s", args, code, stderr)
		}
	}
}
