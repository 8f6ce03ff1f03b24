// Command lapsvm-lab repeats the published experiments and compares lapsvm with its
// rivals. Run lapsvm-lab help.
package main

import (
	"lapsvm/app/command/cli"
	lab "lapsvm/lab/command"
)

func main() { cli.Main(lab.Run) }
