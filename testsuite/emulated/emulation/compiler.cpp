// An emulation of NVRTC: programs are compiled by the system's C++ compiler to shared objects, whose paths stand for machine code.
// $SKALD_EMULATION is the folder of the headers, the driver and the compiler's flags; the objects are kept there under hashes of their
// texts. With $SKALD_EMULATED_MISTAKE set no program compiles.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <atomic>
#include <string>

using std::string;

struct Program {
  string source, log, code;
};

static string folder() { return getenv("SKALD_EMULATION"); }

// replaced(text, from, to) is a text with the first occurrence of a part replaced.
static string replaced(string text, const string &from, const string &to) {
  size_t at = text.find(from);
  return at == string::npos ? text : text.replace(at, from.size(), to);
}

static string contents(const string &path) {
  string out;
  if (FILE *f = fopen(path.c_str(), "r")) {
    char part[4096];
    for (size_t n; (n = fread(part, 1, sizeof part, f)) > 0;) out.append(part, n);
    fclose(f);
  }
  return out;
}

// hashOf is FNV-1a.
static string hashOf(const string &text) {
  uint64_t h = 0xcbf29ce484222325;
  for (unsigned char c : text) h = (h ^ c) * 0x100000001b3;
  char digits[17];
  snprintf(digits, sizeof digits, "%016llx", (unsigned long long)h);
  return digits;
}

extern "C" {

int nvrtcVersion(int *major, int *minor) {
  *major = 12, *minor = 9;
  return 0;
}

const char *nvrtcGetErrorString(int) { return "the emulated compiler failed"; }

int nvrtcCreateProgram(Program **p, const char *source, const char *, int, void *, void *) {
  *p = new Program{source, "", ""};
  return 0;
}

int nvrtcDestroyProgram(Program **p) {
  delete *p;
  return 0;
}

int nvrtcCompileProgram(Program *p, int count, const char **options) {
  static std::atomic<int> number;
  const int compilationError = 6;
  string text = replaced(p->source, "extern __shared__ __align__(16) unsigned char shared_memory[];",
                         "unsigned char *shared_memory = emulated_shared;");
  text = replaced(text, "asm(\"cvt.rn.f16.f32 %0, %1;\" : \"=h\"(h) : \"f\"(x));", "h = emulated_half(x);");
  text = replaced(text, "asm(\"cvt.f32.f16 %0, %1;\" : \"=f\"(x) : \"h\"((unsigned short)bits));", "x = emulated_single(bits);");
  for (const string op : {"add", "sub", "mul"}) {
    text = replaced(text, "asm(\"" + op + ".rn.f16 %0, %1, %2;\" : \"=h\"(r.bits) : \"h\"(x.bits), \"h\"(y.bits));",
                    "r.bits = emulated_" + op + "_half(x.bits, y.bits);");
  }
  text = replaced(text, "asm(\"fma.rn.f16 %0, %1, %2, %3;\" : \"=h\"(r.bits) : \"h\"(a.bits), \"h\"(b.bits), \"h\"(c.bits));",
                  "r.bits = emulated_fma_half(a.bits, b.bits, c.bits);");
  bool meets = text.find("__syncthreads") != string::npos || text.find("__shfl") != string::npos;
  if (getenv("SKALD_EMULATED_MISTAKE")) text = "mistake " + text;
  string arch;
  for (int i = 0; i < count; i++) {
    const string option = options[i], name = "--gpu-architecture=";
    if (option.rfind(name, 0) == 0) arch = option.substr(name.size());
  }
  text = "#include \"device.h\"\n#line 1\n" + text + "#include \"launch.h\"\nextern \"C\" { int emulated_meets = " +
         (meets ? "1" : "0") + "; }\n";
  const string library = folder() + "/kernel_" + hashOf(text) + ".so";
  p->code = "emulated:" + arch + ":" + std::to_string(getpid()) + ":" + library + string(1, '\0');
  if (access(library.c_str(), R_OK) == 0) return 0;
  string base = folder() + "/new_" + std::to_string(getpid()) + "_" + std::to_string(number++);
  FILE *f = fopen((base + ".cpp").c_str(), "w");
  if (!f || fwrite(text.data(), 1, text.size(), f) != text.size() || fclose(f) != 0) return compilationError;
  string command = "c++ @" + folder() + "/flags -shared -I" + folder() + " -o " + base + ".so " + base + ".cpp -L" + folder() +
                   " -l:libcuda.so.1 2> " + base + ".log";
  int failed = system(command.c_str());
  p->log = contents(base + ".log");
  unlink((base + ".cpp").c_str());
  unlink((base + ".log").c_str());
  if (failed || rename((base + ".so").c_str(), library.c_str()) != 0) return compilationError;
  return 0;
}

int nvrtcGetProgramLogSize(Program *p, size_t *n) {
  *n = p->log.size() + 1;
  return 0;
}

int nvrtcGetProgramLog(Program *p, char *to) {
  memcpy(to, p->log.c_str(), p->log.size() + 1);
  return 0;
}

int nvrtcGetCUBINSize(Program *p, size_t *n) {
  *n = p->code.size();
  return 0;
}

int nvrtcGetCUBIN(Program *p, char *to) {
  memcpy(to, p->code.data(), p->code.size());
  return 0;
}
}
