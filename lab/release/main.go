// Command release makes the published files of a version: archives, packages, bills of materials,
// checksums. Run it from the root of a checkout:
//
//	go run ./lab/release dist [flags]    # writes them into dist/, as make dist does
//	go run ./lab/release check [flags]   # walks through a release, as make release does
//	go run ./lab/release systems [flags] # checks the sources for other systems, as make systems does
//
// docs/releasing.md says what to do with them.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "release: "+err.Error())
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("say dist, check or systems: go run ./lab/release dist")
	}
	flags := flag.NewFlagSet("release "+args[0], flag.ContinueOnError)
	out := flags.String("o", "dist", "folder to write to; what is in it stays, but for files of the same names")
	names := flags.String("targets", strings.Join(targetNames(), ","), "systems and processors to build for")
	from := flags.String("from", "", "step of the check-list to go on at, after one was mended")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	targets, err := parseTargets(*names)
	if err != nil {
		return err
	}
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(root, "cmd", "lapsvm")); err != nil {
		return fmt.Errorf("there is no cmd/lapsvm here: run it in the root of the checkout")
	}
	folder, err := filepath.Abs(*out)
	if err != nil {
		return err
	}
	r := &release{root: root, out: folder, targets: targets, log: os.Stdout}
	switch args[0] {
	case "dist":
		return r.dist(ctx)
	case "check":
		return r.check(ctx, *from)
	case "systems":
		return r.checkSystems(ctx)
	}
	return fmt.Errorf("there is no command %q: say dist, check or systems", args[0])
}
