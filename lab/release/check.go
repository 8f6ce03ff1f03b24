package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// step is one of the check-list.
type step struct {
	name string
	do   func(context.Context) (remark string, err error) // the error says what to do
}

// steps are the check-list, in order.
func (r *release) steps() []step {
	return []step{
		{"clean", r.stepClean},
		{"version", r.stepVersion},
		{"check", r.stepCheck},
		{"dist", func(ctx context.Context) (string, error) { return "in " + r.out, r.dist(ctx) }},
		{"sums", func(context.Context) (string, error) {
			n, err := r.checkSums()
			return fmt.Sprintf("%d files are as they were made", n), err
		}},
		{"start", r.stepStart},
		{"contents", r.stepContents},
		{"again", r.stepAgain},
	}
}

// byHand lists the steps that no program takes.
const byHand = `By hand:
  - start the programs that no machine here could start (step start names them) on such machines: lapsvm version, lapsvm demo
  - docker buildx build --platform linux/amd64,linux/arm64 in the folder of the release, and lapsvm demo in the image
  - the packages for Python and R: make wheel, make r-package (docs/manual/python.md, docs/manual/r.md)
  - git push origin the branch and the tag; publish all files of the folder, SHA256SUMS with them
`

// check takes all steps, beginning with the step called from ("" for the first), and then
// lists the steps to take by hand.
func (r *release) check(ctx context.Context, from string) error {
	if err := r.head(ctx); err != nil {
		return err
	}
	if err := walk(ctx, r.log, r.steps(), from); err != nil {
		return err
	}
	fmt.Fprint(r.log, byHand)
	if licences, err := licenceFiles(r.root); err == nil && len(licences) == 0 {
		fmt.Fprintln(r.log, "  - the repository states no licence: whoever owns it must say under which terms others may use what is published")
	}
	return nil
}

// walk takes the steps, beginning with the step called from ("" for the first), and stops
// at the first failure.
func walk(ctx context.Context, log io.Writer, steps []step, from string) error {
	first := 0
	if from != "" {
		if first = slices.IndexFunc(steps, func(s step) bool { return s.name == from }); first < 0 {
			var names []string
			for _, s := range steps {
				names = append(names, s.name)
			}
			return fmt.Errorf("there is no step %q: the steps are %s", from, strings.Join(names, ", "))
		}
	}
	for k, s := range steps[first:] {
		fmt.Fprintf(log, "%d of %d, %s …\n", first+k+1, len(steps), s.name)
		began := time.Now()
		remark, err := s.do(ctx)
		if err != nil {
			return fmt.Errorf("step %s: %w\nThen go on with: go run ./lab/release check -from %s", s.name, err, s.name)
		}
		fmt.Fprintf(log, "      %s (%.0f s)\n", remark, time.Since(began).Seconds())
	}
	return nil
}

func (r *release) stepClean(ctx context.Context) (string, error) {
	changes, err := r.output(ctx, "git", "status", "--porcelain")
	if err == nil && changes != "" {
		err = fmt.Errorf("the checkout has changes that no commit has: commit them, or put them away\n%s", changes)
	}
	return "commit " + r.commit.id, err
}

func (r *release) stepVersion(ctx context.Context) (string, error) {
	tags, err := r.output(ctx, "git", "tag", "--points-at", "HEAD")
	if err != nil {
		return "", err
	}
	tag := ""
	for name := range strings.FieldsSeq(tags) {
		if released.MatchString(name) {
			tag = name
		}
	}
	if tag == "" {
		return "", fmt.Errorf("this commit has no tag of a version: when CHANGELOG.md has its heading, git tag -a v1.2.3")
	}
	text, err := os.ReadFile(filepath.Join(r.root, "CHANGELOG.md"))
	if err != nil {
		return "", err
	}
	return "version " + tag, checkChangelog(string(text), strings.TrimPrefix(tag, "v"))
}

func (r *release) stepCheck(ctx context.Context) (string, error) {
	c := r.command(ctx, "make", "thorough")
	c.Stdout, c.Stderr = r.log, os.Stderr
	if err := c.Run(); err != nil {
		return "", fmt.Errorf("make thorough: %w: mend what it names", err)
	}
	return "make thorough passes", nil
}

// stepStart starts the programs of the archives, where this machine or an emulator can.
func (r *release) stepStart(ctx context.Context) (string, error) {
	work, err := os.MkdirTemp("", "lapsvm-start-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(work)
	var remarks []string
	for _, t := range r.targets {
		remark, err := r.start(ctx, t, work)
		if err != nil {
			return "", fmt.Errorf("%s: %w", t, err)
		}
		remarks = append(remarks, fmt.Sprintf("%s %s", t, remark))
	}
	return strings.Join(remarks, "; "), nil
}

// start runs the program of a target to print its version.
func (r *release) start(ctx context.Context, t target, work string) (remark string, err error) {
	version, err := r.madeVersion(t)
	if err != nil {
		return "", err
	}
	files, err := r.readArchive(t, version)
	if err != nil {
		return "", err
	}
	program := filepath.Join(work, t.system+t.processor+t.program())
	for _, f := range files {
		if f.program {
			if err := os.WriteFile(program, f.data, 0o755); err != nil {
				return "", err
			}
		}
	}
	args := []string{program, "version", "--json"}
	by := ""
	if t != here() {
		by = t.emulator()
		if by == "" {
			return "is not tested here", nil
		}
		if _, err := exec.LookPath(by); err != nil {
			return "is not tested here, where " + by + " is missing", nil
		}
		args = append([]string{by}, args...)
	}
	ctx, stop := context.WithTimeout(ctx, 2*time.Minute)
	defer stop()
	text, err := r.output(ctx, args[0], args[1:]...)
	if err != nil && by != "" {
		return "is not tested here, where " + by + " cannot start it", nil
	}
	if err != nil {
		return "", err
	}
	for _, part := range []string{`"commit":"` + r.commit.id + `"`, `"version":"v` + version + `"`, `"system":"` + t.system + `"`} {
		if !strings.Contains(strings.ReplaceAll(text, `": `, `":`), part) {
			return "", fmt.Errorf("the program does not say %s, but\n%s\nrun the step dist again", part, text)
		}
	}
	if by != "" {
		return "starts by " + by, nil
	}
	return "starts", nil
}

// stepAgain makes all of it a second time, in a clone in another folder, from sources
// alone, and compares the checksums.
func (r *release) stepAgain(ctx context.Context) (string, error) {
	work, err := os.MkdirTemp("", "lapsvm-again-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(work)
	clone := filepath.Join(work, "a folder of another name")
	if _, err := r.output(ctx, "git", "clone", "--quiet", r.root, clone); err != nil {
		return "", err
	}
	if _, err := r.output(ctx, "git", "-C", clone, "checkout", "--quiet", "--detach", r.commit.id); err != nil {
		return "", err
	}
	names := make([]string, len(r.targets))
	for k, t := range r.targets {
		names[k] = t.String()
	}
	other := filepath.Join(work, "dist")
	c := exec.CommandContext(ctx, "go", "run", "./lab/release", "dist", "-o", other, "-targets", strings.Join(names, ","))
	c.Dir, c.Env = clone, append(os.Environ(), "GOCACHE="+filepath.Join(work, "cache"))
	if _, err := output(c); err != nil {
		return "", err
	}
	sums, err := os.ReadFile(filepath.Join(r.out, sumsName))
	if err != nil {
		return "", err
	}
	again, err := os.ReadFile(filepath.Join(other, sumsName))
	if err != nil {
		return "", err
	}
	if string(sums) != string(again) {
		return "", fmt.Errorf("made again in another folder the files differ: nobody could check what is published\nhere:\n%sthere:\n%s", sums, again)
	}
	return "made again in another folder, without what was compiled before, all bytes are the same", nil
}
