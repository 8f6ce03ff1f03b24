package drift

import "math"

// hypergeometricTail returns P(X ≥ x) of the hypergeometric X: the number of members among drawn elements of a
// population. Cost: one term for each value that counts, about as many as the square root of those
// drawn.
func hypergeometricTail(population, members, drawn, x int) float64 {
	lowest, highest := max(0, drawn+members-population), min(drawn, members)
	switch {
	case x <= lowest:
		return 1
	case x > highest:
		return 0
	case float64(x)*float64(population) < float64(drawn)*float64(members): // below the mean: what is left of the other tail
		return max(0, 1-hypergeometricTail(population, population-members, drawn, drawn-x+1))
	}
	choose := func(n, k int) float64 { return logFactorial(n) - logFactorial(k) - logFactorial(n-k) }
	term := math.Exp(choose(members, x) + choose(population-members, drawn-x) - choose(population, drawn))
	sum := 0.0
	for ; x <= highest && term > 1e-17*sum; x++ {
		sum += term
		term *= float64(members-x) / float64(x+1) * float64(drawn-x) / float64(population-members-drawn+x+1)
	}
	return min(1, sum)
}

// logFactorial returns ln n!.
func logFactorial(n int) float64 {
	v, _ := math.Lgamma(float64(n) + 1)
	return v
}

// exceedance returns the probability that at least k of m new values lie beyond the rank-th outermost
// of n old ones, on a given side, if all come from one source. It holds for every distribution.
// (Wilks, 1942: the outermost k + rank − 1 of all are a draw without replacement.)
func exceedance(n, m, k, rank int) float64 {
	return hypergeometricTail(n+m, m, k+rank-1, k)
}

// fisherExact returns the two-sided probability that counts a of n and b of m, from one
// source, differ as much as they do: Fisher's exact test, twice the smaller tail.
func fisherExact(a, n, b, m int) float64 {
	more := hypergeometricTail(n+m, a+b, m, b)
	fewer := hypergeometricTail(n+m, n+m-a-b, m, m-b)
	return min(1, 2*min(more, fewer))
}

// kolmogorovSmirnov bounds the probability that the distribution functions of two samples, of n and m values
// from one source, differ by d somewhere. (Smirnov's limit, with the constant of Massart, 1990.)
func kolmogorovSmirnov(n, m int, d float64) float64 {
	return min(1, 2*math.Exp(-2*d*d*float64(n)/float64(n+m)*float64(m)))
}
