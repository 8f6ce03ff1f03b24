package selection

import "lapsvm/internal/machines/train"

// The plan of samples: on how many points, at most, something is decided. What a few say is asked again of more.
const (
	timesMore    = 4                      // how many times more points have a graph of which that of the fewer says little
	fewPoints    = 400                    // ways to see the rows, graphs to climb from, and machines of a small part
	somePoints   = timesMore * fewPoints  // machines; of more than mostWhole points, ways that few points prefer
	manyPoints   = 2500                   // the best machines of a small part; with given edges all machines
	mostWhole    = timesMore * somePoints // points of which somePoints are no small part: their metric is compared, and several views are taken of them
	chosenPoints = train.FewRows          // points that anything is chosen on: as many rows beside the labelled ones, and given edges between as many
)
