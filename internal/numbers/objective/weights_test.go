package objective_test

import (
	"reflect"
	"testing"

	"lapsvm/internal/numbers/objective"
)

// No weights are weights of 1, whichever labels are taken.
func TestWeights(t *testing.T) {
	var none objective.Weights
	some := objective.Weights{2, 0.5, 3}
	if none.At(4) != 1 || none.Of([]int{4, 0}) != nil || none.Check() != nil || some.At(1) != 0.5 {
		t.Errorf("%v, %v", none.Of([]int{4, 0}), some.At(1))
	}
	if of := some.Of([]int{2, 0}); !reflect.DeepEqual(of, objective.Weights{3, 2}) || (objective.Weights{1, 0}).Check() == nil {
		t.Errorf("%v", of)
	}
}
