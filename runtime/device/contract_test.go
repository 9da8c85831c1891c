package device_test

import (
	"testing"

	"skald/runtime/device"
	"skald/runtime/device/devicetest"
)

func TestRecorderKeepsTheContract(t *testing.T) {
	f := device.NullFacts()
	devicetest.Run(t, device.NewRecorder(f), "")
}
