package depth

import "testing"

func TestTheVariableChooses(t *testing.T) {
	for name, want := range map[string]int{"": 1, "quick": 1, "full": 2, "deep": 3} {
		t.Setenv("SKALD_TEST_DEPTH", name)
		if got := Choose(1, 2, 3); got != want {
			t.Errorf("%q: %d, want %d", name, got, want)
		}
	}
}

func TestAMisspeltDepthIsNotTakenForAQuickOne(t *testing.T) {
	t.Setenv("SKALD_TEST_DEPTH", "depp")
	defer func() {
		if recover() == nil {
			t.Error("accepted")
		}
	}()
	Of()
}
