package compiler

// Named is named, for tests.
var Named = named

// Begun reports whether Begin has begun something.
func Begun(p *Program) bool {
	p.devices.mu.Lock()
	defer p.devices.mu.Unlock()
	return p.devices.awaited != nil
}
