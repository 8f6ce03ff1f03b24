package main

import (
	"fmt"
	"slices"
	"strings"
)

// target is the system and processor of a build, in Go's names.
type target struct{ system, processor string }

// allTargets are the published targets.
func allTargets() []target {
	var all []target
	for _, system := range []string{"linux", "darwin", "windows"} {
		for _, processor := range []string{"amd64", "arm64"} {
			all = append(all, target{system, processor})
		}
	}
	return all
}

func (t target) String() string { return t.system + "/" + t.processor }

// program is the name of the program's file.
func (t target) program() string {
	if t.system == "windows" {
		return "lapsvm.exe"
	}
	return "lapsvm"
}

// emulator is the program that runs programs for t on linux/amd64, "" for none.
func (t target) emulator() string {
	switch t {
	case target{"linux", "arm64"}:
		return "qemu-aarch64-static"
	case target{"windows", "amd64"}:
		return "wine"
	}
	return ""
}

func targetNames() (names []string) {
	for _, t := range allTargets() {
		names = append(names, t.String())
	}
	return names
}

// parseTargets reads targets that are divided by commas.
func parseTargets(text string) (targets []target, err error) {
	for name := range strings.SplitSeq(text, ",") {
		k := slices.Index(targetNames(), strings.TrimSpace(name))
		if k < 0 {
			return nil, fmt.Errorf("nothing is built for %q: give some of %s", name, strings.Join(targetNames(), ", "))
		}
		targets = append(targets, allTargets()[k])
	}
	return targets, nil
}
