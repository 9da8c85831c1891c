//go:build unix && !linux

package cpu

const noReserve = 0
