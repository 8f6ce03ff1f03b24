package selection

import (
	"os"
	"strconv"
)

func envInt(name string, v int) int {
	if s := os.Getenv(name); s != "" {
		v, _ = strconv.Atoi(s)
	}
	return v
}

var arenaPoints = envInt("AP", 600)
