// Command neon generates the assembly of package vec for arm64.
//
// It writes text for Go's assembler: program.go and registers.go hold the functions and
// their registers, words.go the instructions that the assembler lacks. Each other file is a
// kernel. Run it through go generate in the parent folder:
//
//	go run ./neon -out ../vec_arm64.s -stubs ../vec_arm64.go -pkg vec
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	out := flag.String("out", "", "the assembly `file` to write")
	stubs := flag.String("stubs", "", "the `file` of declarations to write")
	pkg := flag.String("pkg", "", "the name of their package")
	flag.Parse()
	p := newProgram("go run ./neon -out ../vec_arm64.s -stubs ../vec_arm64.go -pkg vec", *pkg)
	matrices(p)
	limits(p)
	level1(p)
	conversions(p)
	rectify(p)
	maps(p)
	sparse(p)
	bytesOf(p)
	symmetric(p)
	panels(p)
	widePanels(p)
	if err := p.write(*out, *stubs); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
