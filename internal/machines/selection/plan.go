package selection

// The plan of samples: on how many points, at most, something is decided. What a few say is asked again of more, and a graph of less than a
// quarter of the points says little about that of all.
const (
	fewPoints    = 400            // ways to see the rows, and graphs to climb from
	partPoints   = 1000           // machines of a small part, which are asked again on manyPoints
	somePoints   = 1600           // machines; of more than mostWhole points, ways that few points prefer
	manyPoints   = 2500           // the best machines of a small part; with given edges all machines
	mostWhole    = 4 * somePoints // points of which somePoints are no small part: their metric is compared, and several views are taken of them
	chosenPoints = 8 * manyPoints // points that anything is chosen on: as many rows beside the labelled ones, and given edges between as many
)
