package webgpu

import (
	"encoding/binary"
	"runtime"
	"sync"
	"syscall"
	"unsafe"

	"skald/runtime/dynlib"
)

// Note [Panics of the library]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// wgpu-native panics when the driver reports the loss of a device to a submission
// or a poll, and there is no other call that submits or polls. A Rust panic asks
// the system's unwinder to look for a handler up the stack, and ends the process
// when there is none: Go's frames have no unwind tables, and the library's own
// let nothing through that is unwound. So these calls go through a few
// instructions of ours that have a table. They call the function and return 0; their
// personality routine, which the search comes to before anything is unwound, goes
// back into them as longjmp would, and they return 1.
//
// What the library would have freed on its way is lost, with a device that is lost
// itself; it holds no lock at these places. The panic's message is on standard
// error. The thread still counts a panic, so it is kept for its goroutine and ends
// with that. Other systems end the process.

// catcherCode are the instructions, with a place for an address.
var catcherCode = []byte{
	// enter(rdi: function, rsi, rdx, rcx: its arguments)
	0x55,             // push rbp
	0x48, 0x89, 0xE5, // mov rbp, rsp
	0x53,       // push rbx
	0x41, 0x54, // push r12
	0x41, 0x55, // push r13
	0x41, 0x56, // push r14
	0x41, 0x57, // push r15
	0x48, 0x83, 0xEC, 0x08, // sub rsp, 8
	0x48, 0x89, 0xF8, // mov rax, rdi
	0x48, 0x89, 0xF7, // mov rdi, rsi
	0x48, 0x89, 0xD6, // mov rsi, rdx
	0x48, 0x89, 0xCA, // mov rdx, rcx
	0xFF, 0xD0, // call rax
	0x31, 0xC0, // xor eax, eax
	0xEB, 0x05, // jmp leave
	// landing: (rbp as above)
	0xB8, 1, 0, 0, 0, // mov eax, 1
	// leave:
	0x48, 0x8D, 0x65, 0xD8, // lea rsp, [rbp-40]
	0x41, 0x5F, // pop r15
	0x41, 0x5E, // pop r14
	0x41, 0x5D, // pop r13
	0x41, 0x5C, // pop r12
	0x5B, // pop rbx
	0x5D, // pop rbp
	0xC3, // ret
	// personality(edi: version, esi: actions, rdx: class, rcx: exception, r8: context)
	0x48, 0x83, 0xEC, 0x08, // sub rsp, 8
	0x4C, 0x89, 0xC7, // mov rdi, r8
	0x48, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, // mov rax, _Unwind_GetCFA
	0xFF, 0xD0, // call rax
	0x48, 0x8D, 0x68, 0x30, // lea rbp, [rax+48]: the CFA is the stack pointer at our call
	0xEB, 0xD3, // jmp landing
}

const (
	personalityAt = 55
	getCFAField   = 64  // The operand of mov rax.
	tableAt       = 128 // The unwind table lies behind the code.
)

// unwindTable is the .eh_frame section of the instructions up to the personality:
// an entry common to all functions, that of the function, and an end.
func unwindTable(code uintptr) []byte {
	le := binary.LittleEndian
	entry := func(body []byte) []byte {
		for len(body)%8 != 4 {
			body = append(body, 0) // DW_CFA_nop
		}
		return append(le.AppendUint32(nil, uint32(len(body))), body...)
	}
	common := le.AppendUint32(nil, 0)
	common = append(common, 1, 'z', 'P', 0, 1, 0x78, 16) // Version, augmentation, factors 1 and -8, return address.
	common = append(common, 9, 0)                        // Nine bytes: an absolute address, the personality's.
	common = le.AppendUint64(common, uint64(code+personalityAt))
	common = append(common,
		0x0C, 7, 8, // DW_CFA_def_cfa rsp+8
		0x90, 1) // DW_CFA_offset return address, CFA-8
	common = entry(common)
	own := le.AppendUint32(nil, uint32(len(common)+4)) // Back to the common entry.
	own = le.AppendUint64(own, uint64(code))
	own = le.AppendUint64(own, personalityAt)
	own = append(own, 0, // No augmentation.
		0x41,     // DW_CFA_advance_loc 1: after push rbp
		0x0E, 16, // DW_CFA_def_cfa_offset 16
		0x86, 2, // DW_CFA_offset rbp, CFA-16
		0x43,       // DW_CFA_advance_loc 3: after mov rbp, rsp
		0x0D, 0x06) // DW_CFA_def_cfa_register rbp
	return le.AppendUint32(append(common, entry(own)...), 0)
}

// catcher returns the address of the instructions, 0 if the system does not allow
// them.
var catcher = sync.OnceValue(func() uintptr {
	unwinder, err := dynlib.Open("libgcc_s.so.1", dynlib.Private)
	if err != nil {
		return 0
	}
	getCFA, register := unwinder.Symbol("_Unwind_GetCFA"), unwinder.Symbol("__register_frame")
	if getCFA == 0 || register == 0 {
		return 0
	}
	page, err := syscall.Mmap(-1, 0, 4096, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return 0
	}
	code := uintptr(unsafe.Pointer(&page[0]))
	copy(page, catcherCode)
	binary.LittleEndian.PutUint64(page[getCFAField:], uint64(getCFA))
	copy(page[tableAt:], unwindTable(code))
	if syscall.Mprotect(page, syscall.PROT_READ|syscall.PROT_EXEC) != nil {
		return 0
	}
	call(register, code+tableAt)
	return code
})

// caught calls a function of up to three arguments, and reports whether it came to
// its end instead of panicking.
//
//go:uintptrescapes
func caught(fn, a, b, c uintptr) bool {
	enter := catcher()
	if enter == 0 {
		call(fn, a, b, c)
		return true
	}
	runtime.LockOSThread()
	if call(enter, fn, a, b, c) != 0 {
		return false // On a thread that this goroutine keeps.
	}
	runtime.UnlockOSThread()
	return true
}
