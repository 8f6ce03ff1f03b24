package answer

// oneClass is labels of the only class. A row is inside of it or not.
type oneClass struct{ classes }

func (oneClass) Outside() bool { return true }

func (o oneClass) Refuses(output Output) Refusal {
	switch output {
	case OfProbabilities:
		return Refusal{File: "%s is a one-class model, which has no probabilities: take --scores"}
	case OfLikeliest:
		return Refusal{File: "%s is a one-class model, and --top and --threshold are for several classes: take --scores", Server: "%s is a one-class model, and top and threshold are for several classes: ask for scores"}
	case OfSets:
		return Refusal{Recipe: "%s is for several classes: leave it out with --one-class"}
	}
	return o.classes.Refuses(output)
}
