// Command lapsvm trains and applies classifiers from many points of which few
// are labelled. Run lapsvm help, or lapsvm demo.
package main

import (
	"lapsvm/app/command"
	"lapsvm/app/command/cli"
)

func main() { cli.Main(command.Run) }
