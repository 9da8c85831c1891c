package compiler

import "skald/targets"

// DeviceOptions say which device to open, and how.
type DeviceOptions = targets.Options

// Device is an open device with what compiling for it depends on.
type Device = targets.Device

// Model is what compiling for a device depends on: a device that is there, or a profile.
type Model = targets.Model

// OpenDevice opens a device. With no name it takes the first target that works; note then says why earlier ones were passed over. Options
// of one target alone ask for that target or none.
func OpenDevice(o DeviceOptions) (dev *Device, note string, err error) { return targets.Open(o) }

// DeviceProfile returns what compiling for a device that is not there depends on, by the name of a profile, for looking at the code that
// would be made for it; nil if no profile is called so.
func DeviceProfile(name string) *Model { return targets.FindProfile(name) }
