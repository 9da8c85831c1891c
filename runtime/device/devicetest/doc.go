// Package devicetest tests that a device keeps the contract of runtime/device. The
// tests of each device call it; it must be imported by tests only.
//
//	func TestContract(t *testing.T) { devicetest.Run(t, open(t), scaleText) }
package devicetest
