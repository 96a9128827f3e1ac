package probe

import "testing"

func TestMachineTime(t *testing.T) {
	for _, test := range []struct {
		line string
		want MachineTime
	}{
		{"cpu  60 10 20 3000 400 1 2 7 5 5\n", MachineTime{Busy: 93, Stolen: 7}},
		{"cpu  60 10 20 3000 400 1 2 7\n", MachineTime{Busy: 93, Stolen: 7}},
		{"cpu  60 10 20 3000 400 1 2\n", MachineTime{}}, // before Linux 2.6.11
		{"cpu0 60 10 20 3000 400 1 2 7\n", MachineTime{}},
		{"cpu  60 10 20 3000 400 1 2 -7\n", MachineTime{}},
		{"", MachineTime{}},
	} {
		if got := machineTime(test.line); got != test.want {
			t.Errorf("%q: %+v, want %+v", test.line, got, test.want)
		}
	}
	if ReadMachineTime().Busy == 0 {
		t.Error("nothing has run on this machine")
	}
}

func TestStolenSince(t *testing.T) {
	before := MachineTime{Busy: 100, Stolen: 10}
	for _, test := range []struct {
		now  MachineTime
		want float64
	}{
		{MachineTime{Busy: 130, Stolen: 20}, 0.25},
		{MachineTime{Busy: 100, Stolen: 20}, 1},
		{before, 0},
		{MachineTime{Busy: 130, Stolen: 9}, 0}, // some kernels let it fall
		{MachineTime{}, 0},
	} {
		if got := test.now.StolenSince(before); got != test.want {
			t.Errorf("%+v after %+v: %g, want %g", test.now, before, got, test.want)
		}
	}
}
